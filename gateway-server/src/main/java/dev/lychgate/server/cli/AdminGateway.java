package dev.lychgate.server.cli;

import dev.lychgate.server.engine.StartException;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The admin listener of a running gateway.
 *
 * @param url {@code http://HOST:PORT} or {@code https://HOST:PORT}
 * @param token what it asks for; null if nothing is known of any
 * @param ca a PEM file with the authorities that are believed; null = those of the JDK
 */
record AdminGateway(
        String url, @Nullable String token, @Nullable Path ca) {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Asks. @param method GET or POST. @throws StartException if nobody answers */
    HttpResponse<String> ask(String method, String target) throws StartException, InterruptedException {
        return client(PATIENCE).ask(method, target);
    }

    /** For whoever asks more than once. @param patience how long it waits for an answer. @throws StartException if {@code ca} is no good */
    AdminClient client(Duration patience) throws StartException {
        return new AdminClient(connections(), url, token, patience);
    }

    private HttpClient connections() throws StartException {
        HttpClient.Builder client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
        return ca == null ? client.build() : client.sslContext(believing(ca)).build();
    }

    private static SSLContext believing(Path ca) throws StartException {
        try (InputStream file = Files.newInputStream(ca)) {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int number = 0;
            for (Certificate one : CertificateFactory.getInstance("X.509").generateCertificates(file)) {
                store.setCertificateEntry("ca-" + number++, one);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new StartException(ca + " can't be used as --ca: " + e);
        }
    }

    /** Without the token. */
    @Override
    public String toString() {
        return url;
    }
}
