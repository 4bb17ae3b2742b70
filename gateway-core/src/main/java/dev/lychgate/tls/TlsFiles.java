package dev.lychgate.tls;

import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.OriginTlsConfig;
import dev.lychgate.config.TlsConfig;
import dev.lychgate.config.UpstreamConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The files of certificates and keys as they are at one moment: each is read once, when it is asked for. For one thread,
 * which may wait.
 */
public final class TlsFiles {
    /** Nothing that holds certificates is longer; what is was named by mistake. */
    private static final long LONGEST = 16 << 20;

    private final Map<String, byte[]> read = new HashMap<>();

    /** The paths that {@code config} names, each once and in order. */
    public static Set<String> of(GatewayConfig config) {
        Set<String> files = new TreeSet<>();
        if (config.admin() != null) {
            config.admin().files().forEach(files::add);
        }
        config.listeners().stream()
                .map(ListenerConfig::tls)
                .filter(Objects::nonNull)
                .flatMap(TlsConfig::files)
                .forEach(files::add);
        config.upstreams().values().stream()
                .map(UpstreamConfig::tls)
                .filter(Objects::nonNull)
                .flatMap(OriginTlsConfig::files)
                .forEach(files::add);
        return files;
    }

    /** What the file holds. @throws Unusable with a reason if it can't be read */
    byte[] bytes(String file) throws Unusable {
        byte[] known = read.get(file);
        if (known == null) {
            known = read(Path.of(file));
            read.put(file, known);
        }
        return known;
    }

    private static byte[] read(Path file) throws Unusable {
        try {
            if (Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file)) {
                // The read of a pipe might never end.
                throw new Unusable("is no regular file");
            }
            if (Files.size(file) > LONGEST) {
                throw new Unusable("longer than 16 MiB");
            }
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new Unusable("there is no such file", e);
        } catch (IOException e) {
            throw new Unusable("can't be read: " + e.getClass().getSimpleName(), e);
        }
    }

    /** What all of {@code files} hold, as one number; another one as soon as one of them has changed. Empty of none. */
    public String fingerprint(Stream<String> files) {
        List<String> sorted = files.sorted().toList();
        if (sorted.isEmpty()) {
            // Without TLS nothing else of a start needs the digests of the JDK.
            return "";
        }
        MessageDigest digest = sha256();
        for (String file : sorted) {
            digest.update(file.getBytes(StandardCharsets.UTF_8));
            digest.update((byte) 0);
            try {
                digest.update(sha256().digest(bytes(file)));
            } catch (Unusable e) {
                digest.update((byte) 1);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** A file that can't be used; the message says why, not which. */
    static final class Unusable extends Exception {
        private static final long serialVersionUID = 1;

        Unusable(String why) {
            super(why);
        }

        Unusable(String why, Throwable cause) {
            super(why, cause);
        }

        String why() {
            return String.valueOf(getMessage());
        }
    }
}
