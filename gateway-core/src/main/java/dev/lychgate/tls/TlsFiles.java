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
 * Reads files of certificates and keys. Each file is read one time, at its first use, so that all users get the same
 * content. Not thread-safe; methods may block.
 */
public final class TlsFiles {
    /** The maximum size of a file, in bytes. A larger file is probably configured by mistake. */
    private static final long LONGEST = 16 << 20;

    private final Map<String, byte[]> read = new HashMap<>();

    /** Returns the distinct paths of the certificate and key files in {@code config}, sorted. */
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

    /**
     * Returns the content of a file.
     *
     * @throws Unusable if the file can't be read; the message is the reason
     */
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
                // Such a file is refused, because reading a pipe might never end.
                throw new Unusable("is not a regular file");
            }
            if (Files.size(file) > LONGEST) {
                throw new Unusable("is longer than 16 MiB");
            }
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new Unusable("there is no such file", e);
        } catch (IOException e) {
            throw new Unusable("can't be read: " + e.getClass().getSimpleName(), e);
        }
    }

    /** Returns a digest of the names and contents of {@code files}; empty if there are no files. */
    public String fingerprint(Stream<String> files) {
        List<String> sorted = files.sorted().toList();
        if (sorted.isEmpty()) {
            // Returns early, because without TLS no other code at startup loads the JDK's digests.
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
            throw new IllegalStateException("the JDK lacks SHA-256", e);
        }
    }

    /** Reports an unusable file. The message states the reason, but not the name of the file. */
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
