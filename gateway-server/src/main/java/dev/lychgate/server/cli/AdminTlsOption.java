package dev.lychgate.server.cli;

import dev.lychgate.config.CertificateConfig;
import dev.lychgate.config.ConfigException;
import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.yaml.Environment;
import dev.lychgate.tls.JdkClientTls;
import java.util.Locale;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The TLS settings for an admin listener: trusted certificates and the client certificate. */
final class AdminTlsOption {
    /**
     * Maps each key of the certificate settings to the command-line option that error messages name in place of the
     * key.
     */
    private static final Map<String, String> SAID_BY =
            Map.of("ca", "--ca", "own.chain", "--cert", "own.pkcs12", "--cert", "own.key", "--key");

    @Option(
            names = "--ca",
            order = 504,
            paramLabel = "FILE",
            description = "The authorities that are trusted for the certificate of the admin listener, in PEM; default"
                    + " LYCHGATE_ADMIN_CA, else the authorities of the JDK.")
    private @Nullable String ca;

    @Option(
            names = "--cert",
            order = 505,
            paramLabel = "FILE",
            description =
                    "The client certificate, if required: a file in PEM, or a PKCS#12 store with the suffix .p12 or"
                            + " .pfx; default LYCHGATE_ADMIN_CERT.")
    private @Nullable String cert;

    @Option(
            names = "--key",
            order = 506,
            paramLabel = "FILE",
            description = "The file with the key of --cert in PEM; default LYCHGATE_ADMIN_KEY, else the file of --cert."
                    + " LYCHGATE_ADMIN_KEY_PASSWORD contains the password of a key or store.")
    private @Nullable String key;

    /**
     * Returns the TLS context; null for a URL without TLS, or if no option or variable sets a certificate.
     *
     * @param url URL of the admin listener
     * @throws StartException if a file is unusable, or if an option would have no effect
     */
    @Nullable
    SSLContext context(String url, Environment environment) throws StartException {
        if (!url.startsWith("https://")) {
            if (cert != null) {
                throw new StartException("--cert: TLS is not used with " + url + " (expected: --admin https://...)");
            }
            return null;
        }
        String authorities = ca == null ? environment.get("LYCHGATE_ADMIN_CA") : ca;
        CertificateConfig own = own(environment);
        if (authorities == null && own == null) {
            return null;
        }
        try {
            return JdkClientTls.of(authorities, own);
        } catch (ConfigException e) {
            throw new StartException(
                    SAID_BY.getOrDefault(e.key(), e.key()) + ": " + e.value() + " (expected: " + e.expected() + ")");
        }
    }

    private @Nullable CertificateConfig own(Environment environment) throws StartException {
        String password = environment.get("LYCHGATE_ADMIN_KEY_PASSWORD");
        String file = cert == null ? environment.get("LYCHGATE_ADMIN_CERT") : cert;
        if (file == null) {
            if (key != null) {
                throw new StartException("--key: the certificate of the key is missing (expected: --cert FILE)");
            }
            return null;
        }
        if (file.toLowerCase(Locale.ROOT).matches(".*\\.(p12|pfx)")) {
            if (key != null) {
                throw new StartException(
                        "--key: " + file + " is a store, which already contains the key (expected: no --key)");
            }
            return new CertificateConfig(null, null, file, password, null);
        }
        return new CertificateConfig(file, keyFile(file, environment), null, password, null);
    }

    /** Returns the key file. The key from the environment is used only with the certificate from the environment. */
    private String keyFile(String certificates, Environment environment) {
        String named = key == null && cert == null ? environment.get("LYCHGATE_ADMIN_KEY") : key;
        return named == null ? certificates : named;
    }
}
