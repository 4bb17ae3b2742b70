package dev.lychgate.server.admin;

import dev.lychgate.config.AdminConfig;
import dev.lychgate.config.BindAddress;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.TlsConfig;
import dev.lychgate.filters.libraries.Sha256;
import dev.lychgate.tls.ServerTls;
import dev.lychgate.tls.TlsFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The credentials that the admin listener requires, read from their files at creation. Immutable; each generation replaces
 * it. Any thread.
 */
public final class AdminAccess {
    private static final long LONGEST_FILE = 4096;

    /** SHA-256, so that compared values have the same length whatever a client sends. */
    private final byte @Nullable [] token;

    private final @Nullable ServerTls tls;
    private final int connections;

    private AdminAccess(int connections, byte @Nullable [] token, @Nullable ServerTls tls) {
        this.connections = connections;
        this.token = token;
        this.tls = tls;
    }

    /**
     * Reads the token and the certificates. May block.
     *
     * @param before the credentials in force; null if there are none
     * @throws ConfigException with the complete key and the fault of its file
     */
    public static AdminAccess of(AdminConfig config, @Nullable AdminAccess before) {
        return new AdminAccess(
                config.connections(), token(config), tls(config.tls(), before == null ? null : before.tls));
    }

    private static byte @Nullable [] token(AdminConfig config) {
        String file = config.tokenFile();
        if (file == null) {
            return config.token() == null ? null : digest(config.token());
        }
        String text = firstLine(file);
        try {
            // Validates it like a token in the configuration.
            new AdminConfig(new BindAddress("127.0.0.1", 0)).withToken(text);
        } catch (ConfigException e) {
            throw new ConfigException("admin.token-file", file, "a file whose first line is " + e.expected());
        }
        return digest(text);
    }

    private static String firstLine(String file) {
        try {
            Path path = Path.of(file);
            if (Files.size(path) > LONGEST_FILE) {
                throw new ConfigException("admin.token-file", file, "a file of at most " + LONGEST_FILE + " bytes");
            }
            return Files.readString(path, StandardCharsets.ISO_8859_1)
                    .lines()
                    .findFirst()
                    .orElse("")
                    .strip();
        } catch (NoSuchFileException e) {
            throw unreadable(file, "there is no such file", e);
        } catch (IOException e) {
            throw unreadable(file, "can't be read: " + e.getClass().getSimpleName(), e);
        }
    }

    private static ConfigException unreadable(String file, String why, IOException cause) {
        ConfigException refused =
                new ConfigException("admin.token-file", file + ": " + why, "a file whose first line is the token");
        refused.initCause(cause);
        return refused;
    }

    private static @Nullable ServerTls tls(@Nullable TlsConfig config, @Nullable ServerTls before) {
        if (config == null) {
            return null;
        }
        try {
            return ServerTls.build(
                    "admin", config, List.of("http/1.1"), "admin.tls", new TlsFiles(), Instant.now(), before);
        } catch (ConfigException e) {
            // There is a single certificate, not a list.
            ConfigException refused =
                    new ConfigException(e.key().replace(".certificates[0]", ""), e.value(), e.expected());
            refused.initCause(e);
            throw refused;
        }
    }

    /** Returns the maximum number of connections. */
    int connections() {
        return connections;
    }

    /** Returns whether no credentials are required. */
    boolean asksNothing() {
        return token == null && !asksClients();
    }

    /** Returns whether a client certificate grants access. */
    boolean asksClients() {
        return tls != null && tls.asksClients();
    }

    boolean hasToken() {
        return token != null;
    }

    /** Returns whether {@code presented} is the token, in constant time. */
    boolean isToken(String presented) {
        return token != null && MessageDigest.isEqual(token, digest(presented));
    }

    /** Returns the TLS settings; null without TLS. */
    @Nullable
    ServerTls tls() {
        return tls;
    }

    private static byte[] digest(String text) {
        return Sha256.start().digest(text.getBytes(StandardCharsets.UTF_8));
    }
}
