package dev.lychgate.tls;

import dev.lychgate.config.CertificateConfig;
import dev.lychgate.config.ConfigException;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Instant;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** TLS for a client of the JDK, such as a command that asks an admin listener: its HTTP client takes the JDK's alone. */
public final class JdkClientTls {
    private static final char[] NO_PASSWORD = new char[0];

    private JdkClientTls() {}

    /**
     * Reads the files. May block.
     *
     * @param ca a PEM file with the authorities that are believed; null = those of the JDK
     * @param own the certificate that is shown if one is asked for; null = none
     * @throws ConfigException that names the file, and what is wrong with it, by the keys {@code ca}, {@code own.chain},
     *     {@code own.key} and {@code own.pkcs12}
     */
    public static SSLContext of(@Nullable String ca, @Nullable CertificateConfig own) {
        CredentialReader reader = new CredentialReader(new TlsFiles(), Instant.now(), SslProvider.JDK);
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    own == null ? null : shown(reader.read(own, "own")),
                    ca == null ? null : believed(reader, ca),
                    null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("every JDK has TLS, and stores that are kept in memory", e);
        }
    }

    private static TrustManager[] believed(CredentialReader reader, String ca)
            throws GeneralSecurityException, IOException {
        KeyStore store = inMemory();
        int number = 0;
        for (X509Certificate authority : reader.certificates(ca, "ca")) {
            store.setCertificateEntry("ca-" + number++, authority);
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        return trust.getTrustManagers();
    }

    private static KeyManager[] shown(Credential own) throws GeneralSecurityException, IOException {
        KeyStore store = inMemory();
        store.setKeyEntry("own", own.key(), NO_PASSWORD, own.chain().toArray(Certificate[]::new));
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, NO_PASSWORD);
        return keys.getKeyManagers();
    }

    private static KeyStore inMemory() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }
}
