package dev.lychgate.server.admin;

import static java.util.Objects.requireNonNull;

import dev.lychgate.config.AdminConfig;
import dev.lychgate.config.BindAddress;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.OperatorConfig;
import dev.lychgate.config.TlsConfig;
import dev.lychgate.filters.libraries.Sha256;
import dev.lychgate.tls.ClientCertificate;
import dev.lychgate.tls.ServerTls;
import dev.lychgate.tls.TlsFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The credentials that the admin listener accepts. This object reads them from their files when it is created. A new
 * object is created for each new generation. Immutable and thread-safe.
 */
public final class AdminAccess {
    private static final long LONGEST_FILE = 4096;

    private final List<KnownToken> tokens;
    /**
     * The operators with a certificate, by the configured name of the certificate: its subject or an alternative name.
     */
    private final Map<CertificateName, Operator> certificates;

    private final @Nullable ServerTls tls;
    private final int connections;
    private final boolean namesOperators;

    /**
     * @param digest SHA-256 of the token. All digests have the same length, regardless of the length of the token that
     *         a client sends.
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record KnownToken(byte[] digest, Operator of) {}

    private AdminAccess(AdminConfig config, List<KnownToken> tokens, @Nullable ServerTls tls) {
        this.connections = config.connections();
        this.tokens = tokens;
        this.certificates = config.operators().stream()
                .filter(operator -> operator.certificate() != null)
                .collect(Collectors.toMap(
                        operator -> CertificateName.of(requireNonNull(operator.certificate())), Operator::of));
        this.namesOperators = !config.operators().isEmpty();
        this.tls = tls;
    }

    /**
     * Reads the tokens and the certificates from their files. May block.
     *
     * @param before the credentials in force; null if there are none
     * @throws ConfigException if a file is unusable; the message states the complete key and the reason
     */
    public static AdminAccess of(AdminConfig config, @Nullable AdminAccess before) {
        List<KnownToken> tokens = new ArrayList<>();
        add(tokens, config.token(), config.tokenFile(), "admin", Operator.ANY);
        for (int i = 0; i < config.operators().size(); i++) {
            OperatorConfig operator = config.operators().get(i);
            String key = "admin.operators[" + i + "]";
            add(tokens, operator.token(), operator.tokenFile(), key, Operator.of(operator));
        }
        return new AdminAccess(config, List.copyOf(tokens), tls(config.tls(), before == null ? null : before.tls));
    }

    /**
     * @param section the complete key of the section that contains {@code token} and {@code token-file}, such as
     *     {@code admin}
     */
    private static void add(
            List<KnownToken> tokens, @Nullable String token, @Nullable String file, String section, Operator of) {
        String text = file == null ? token : firstLine(file, section + ".token-file");
        if (text == null) {
            return;
        }
        byte[] digest = digest(text);
        for (KnownToken known : tokens) {
            if (MessageDigest.isEqual(known.digest, digest)) {
                String key = section + (file == null ? ".token" : ".token-file");
                throw new ConfigException(key, "***", "a token that differs from the token of " + known.of.name());
            }
        }
        tokens.add(new KnownToken(digest, of));
    }

    private static String firstLine(String file, String key) {
        String text;
        try {
            Path path = Path.of(file);
            if (Files.size(path) > LONGEST_FILE) {
                throw new ConfigException(key, file, "a file of at most " + LONGEST_FILE + " bytes");
            }
            text = Files.readString(path, StandardCharsets.ISO_8859_1)
                    .lines()
                    .findFirst()
                    .orElse("")
                    .strip();
        } catch (NoSuchFileException e) {
            throw unreadable(file, key, "there is no such file", e);
        } catch (IOException e) {
            throw unreadable(file, key, "can't be read: " + e.getClass().getSimpleName(), e);
        }
        try {
            // A token in a file must satisfy the same rules as a token in the configuration.
            new AdminConfig(new BindAddress("127.0.0.1", 0)).withToken(text);
        } catch (ConfigException e) {
            throw new ConfigException(key, file, "a file whose first line is " + e.expected());
        }
        return text;
    }

    private static ConfigException unreadable(String file, String key, String why, IOException cause) {
        ConfigException refused = new ConfigException(key, file + ": " + why, "a file whose first line is the token");
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
            // The admin listener has a single certificate, so its keys have no list index.
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

    /** Returns true if the listener requires no credentials. */
    boolean asksNothing() {
        return tokens.isEmpty() && !asksClients();
    }

    /** Returns whether a client certificate grants access. */
    boolean asksClients() {
        return tls != null && tls.asksClients();
    }

    boolean hasToken() {
        return !tokens.isEmpty();
    }

    /**
     * Returns the operator to whom a token belongs; null if it belongs to no operator. The duration does not depend on
     * the token.
     */
    @Nullable
    Operator ofToken(String presented) {
        byte[] digest = digest(presented);
        Operator found = null;
        for (KnownToken known : tokens) {
            found = MessageDigest.isEqual(known.digest, digest) ? known.of : found;
        }
        return found;
    }

    /** Returns the operator to whom a verified certificate belongs; null if it belongs to no operator. */
    @Nullable
    Operator ofCertificate(ClientCertificate certificate) {
        if (!namesOperators) {
            return Operator.ANY;
        }
        return CertificateName.all(certificate)
                .map(certificates::get)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
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
