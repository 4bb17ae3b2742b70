package dev.lychgate.server.admin;

import dev.lychgate.config.AdminConfig;
import dev.lychgate.config.BindAddress;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.TlsConfig;
import dev.lychgate.tls.ServerTls;
import dev.lychgate.tls.TlsFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What whoever asks something of the admin listener has to bring, with the files that say so as they were when it was made.
 * Immutable; another one takes over with each generation. Any thread.
 */
public final class AdminAccess {
    private static final long LONGEST_FILE = 4096;

    /** SHA-256: two of the same length are compared, however long what was sent is. */
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
     * @param before what holds so far; null if nothing does
     * @throws ConfigException that names the key from the top, and what is wrong with its file
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
            // The same is asked of it as of one in the configuration.
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
            // There is one certificate, and no list of them.
            ConfigException refused =
                    new ConfigException(e.key().replace(".certificates[0]", ""), e.value(), e.expected());
            refused.initCause(e);
            throw refused;
        }
    }

    /** The most connections. */
    int connections() {
        return connections;
    }

    /** Whether nobody has to bring anything. */
    boolean asksNothing() {
        return token == null && !asksClients();
    }

    /** Whether a certificate lets in. */
    boolean asksClients() {
        return tls != null && tls.asksClients();
    }

    /** Whether there is a token to bring. */
    boolean hasToken() {
        return token != null;
    }

    /** Whether {@code presented} is the token; takes as long whatever it begins with. */
    boolean isToken(String presented) {
        return token != null && MessageDigest.isEqual(token, digest(presented));
    }

    /** How TLS is spoken; null if it is not. */
    @Nullable
    ServerTls tls() {
        return tls;
    }

    private static byte[] digest(String text) {
        return digest(text.getBytes(StandardCharsets.UTF_8));
    }

    /** SHA-256. */
    static byte[] digest(byte[] content) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(content);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
