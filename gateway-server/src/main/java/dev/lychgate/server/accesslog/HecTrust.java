package dev.lychgate.server.accesslog;

import dev.lychgate.gateway.StartFailure;
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

/** Trust in those certificates alone that a file holds. */
final class HecTrust {
    private HecTrust() {}

    /**
     * Reads the file.
     *
     * @param file certificates in PEM
     * @throws StartFailure if it can't be read, or holds none
     */
    static SSLContext of(String file) {
        try (InputStream in = Files.newInputStream(Path.of(file))) {
            Collection<? extends Certificate> certificates =
                    CertificateFactory.getInstance("X.509").generateCertificates(in);
            if (certificates.isEmpty()) {
                throw new StartFailure("access-log.hec.ca: there is no certificate in " + file);
            }
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int next = 0;
            for (Certificate certificate : certificates) {
                store.setCertificateEntry("ca-" + next++, certificate);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new StartFailure("access-log.hec.ca: can't be used: " + e);
        }
    }
}
