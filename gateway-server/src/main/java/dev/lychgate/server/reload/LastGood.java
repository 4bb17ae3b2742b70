package dev.lychgate.server.reload;

import dev.lychgate.filters.groovy.FilterDirectory;
import dev.lychgate.filters.groovy.FilterFaultsException;
import dev.lychgate.filters.groovy.FilterSource;
import dev.lychgate.filters.groovy.FilterSources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A copy on disk of the last accepted filters, for a restart while the filter directory is unusable. If the copy cannot be
 * written (a read-only file system), the gateway runs without it and logs that once. Used by one thread at a time.
 */
final class LastGood {
    private static final Logger LOG = LoggerFactory.getLogger(LastGood.class);
    private static final String CURRENT = "current";

    private final Path place;
    private boolean silent;

    /** @param place a directory for these copies only; created when it is needed */
    LastGood(Path place) {
        this.place = place;
    }

    /** Returns the copy beside a configuration file. */
    static LastGood beside(Path config) {
        return new LastGood(config.toAbsolutePath().resolveSibling(".lychgate").resolve("last-good"));
    }

    Path place() {
        return place;
    }

    /** Saves {@code sources}; the previous copy is deleted after the new one is complete. */
    void save(FilterSources sources) {
        String name = sources.fingerprint();
        Path copy = place.resolve(name);
        try {
            if (name.equals(current())) {
                return;
            }
            for (FilterSource source : sources.files()) {
                Path file = copy.resolve(source.path());
                Files.createDirectories(file.getParent());
                Files.writeString(file, source.text());
            }
            Files.createDirectories(copy);
            Path pointer = Files.writeString(place.resolve(CURRENT + ".new"), name);
            Files.move(pointer, place.resolve(CURRENT), StandardCopyOption.ATOMIC_MOVE);
            forgetOthers(name);
        } catch (IOException | UncheckedIOException e) {
            if (!silent) {
                silent = true;
                LOG.warn("the last good filters can't be kept in {}: {}", place, e.toString());
            }
        }
    }

    /** Returns the saved filters; null if there are none, or they cannot be read. */
    @Nullable
    FilterSources read() {
        try {
            String name = current();
            return name == null ? null : new FilterDirectory(place.resolve(name)).read();
        } catch (IOException | FilterFaultsException e) {
            LOG.warn("the last good filters in {} can't be read: {}", place, e.toString());
            return null;
        }
    }

    private @Nullable String current() throws IOException {
        Path pointer = place.resolve(CURRENT);
        if (!Files.exists(pointer)) {
            return null;
        }
        String name = Files.readString(pointer, StandardCharsets.UTF_8).strip();
        return name.matches("[0-9a-f]{64}") ? name : null;
    }

    private void forgetOthers(String name) throws IOException {
        List<Path> others;
        try (Stream<Path> copies = Files.list(place)) {
            others = copies.filter(Files::isDirectory)
                    .filter(copy -> !copy.getFileName().toString().equals(name))
                    .toList();
        }
        for (Path other : others) {
            try (Stream<Path> files = Files.walk(other)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
