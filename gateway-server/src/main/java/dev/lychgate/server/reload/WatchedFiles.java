package dev.lychgate.server.reload;

import dev.lychgate.config.GatewayConfig;
import dev.lychgate.filters.groovy.FilterDirectory;
import dev.lychgate.server.yaml.ReferredSecrets;
import dev.lychgate.tls.TlsFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The files that a {@link FileWatch} watches. One thread at a time may change them; reading is thread-safe. */
final class WatchedFiles {
    private final Supplier<List<Path>> lastRead;
    private final Supplier<Set<Path>> secretsLastRead;
    private volatile @Nullable FilterDirectory directory;
    private volatile Set<String> certificates = Set.of();
    private volatile List<String> named = List.of();
    private volatile Set<Path> secretsInForce = Set.of();
    private volatile Set<Path> credentials = Set.of();

    /**
     * @param lastRead returns the files that the last reading of the configuration included
     * @param secretsLastRead returns the files of secrets to which the configuration referred at this reading
     */
    WatchedFiles(Supplier<List<Path>> lastRead, Supplier<Set<Path>> secretsLastRead) {
        this.lastRead = lastRead;
        this.secretsLastRead = secretsLastRead;
    }

    /** Watches the files of a configuration that was read from the disk, whether it was accepted or not. */
    void follow(GatewayConfig config) {
        // A missing directory is refused but watched, because its creation is a change.
        directory = FilterDirectory.of(config.filters());
        followRolledBack(config);
    }

    /**
     * Watches the certificates of the configuration in force after a rollback. The filter directory that the
     * configuration on disk names stays watched.
     */
    void followRolledBack(GatewayConfig config) {
        certificates = Stream.concat(
                        TlsFiles.of(config).stream(), config.policies().addressFiles())
                .collect(Collectors.toUnmodifiableSet());
        credentials = FilesRead.credentialFiles(config).stream().map(Path::of).collect(Collectors.toUnmodifiableSet());
        named = Stream.concat(FilesRead.named(config).stream(), FilesRead.directories(config).stream())
                .toList();
    }

    /** Watches the secrets of the configuration in force, which may differ from the configuration on disk. */
    void followSecrets(ReferredSecrets secrets) {
        secretsInForce = secrets.files();
    }

    /** Returns the files of secrets, and the files that authenticators and authorizers read, ordered by path. */
    Set<Path> secrets() {
        Set<Path> all = new TreeSet<>(secretsLastRead.get());
        all.addAll(secretsInForce);
        all.addAll(credentials);
        return all;
    }

    /**
     * Returns the filter directory of the last configuration that could be read; null if that configuration names no
     * filter directory.
     */
    @Nullable
    FilterDirectory directory() {
        return directory;
    }

    /** Returns the files of certificates, keys and address lists, which take effect at once. */
    Set<String> certificates() {
        return certificates;
    }

    /** Returns the included files, and the files and directories that settings name. */
    List<Path> included() {
        List<Path> all = new ArrayList<>(lastRead.get());
        named.forEach(file -> all.add(Path.of(file)));
        return all;
    }
}
