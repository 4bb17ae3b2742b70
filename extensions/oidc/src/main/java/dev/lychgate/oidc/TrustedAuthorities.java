package dev.lychgate.oidc;

import dev.lychgate.config.ConfigException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Reads the authorities that the extension trusts instead of the authorities of the JDK. */
final class TrustedAuthorities {
    private TrustedAuthorities() {}

    /**
     * Reads certificates in PEM.
     *
     * @throws ConfigException under the key {@code ca-file}, if the file cannot be used
     */
    static SSLContext read(String file) {
        try (InputStream in = Files.newInputStream(Path.of(file))) {
            Collection<? extends Certificate> certificates =
                    CertificateFactory.getInstance("X.509").generateCertificates(in);
            if (certificates.isEmpty()) {
                throw new ConfigException("ca-file", file, "a file with certificates in PEM");
            }
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            int number = 0;
            for (Certificate certificate : certificates) {
                store.setCertificateEntry(Integer.toString(number++), certificate);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException e) {
            throw new ConfigException("ca-file", file, "a file that can be read: " + e.getMessage());
        } catch (GeneralSecurityException e) {
            throw new ConfigException("ca-file", file, "a file with certificates in PEM: " + e.getMessage());
        }
    }
}
