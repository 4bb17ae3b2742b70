package dev.lychgate.server.cli;

import dev.lychgate.server.engine.StartException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The admin listener of a running gateway.
 *
 * @param url {@code http://HOST:PORT} or {@code https://HOST:PORT}
 * @param token what it asks for; null if nothing is known of any
 * @param tls what is believed and shown, where TLS is spoken; null = what the JDK believes, and nothing
 */
record AdminGateway(
        String url, @Nullable String token, @Nullable SSLContext tls) {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Asks. @param method GET or POST. @throws StartException if nobody answers */
    HttpResponse<String> ask(String method, String target) throws StartException, InterruptedException {
        return client(PATIENCE).ask(method, target);
    }

    /** For whoever asks more than once. @param patience how long it waits for an answer */
    AdminClient client(Duration patience) {
        return new AdminClient(connections(), url, token, patience);
    }

    private HttpClient connections() {
        HttpClient.Builder client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
        return tls == null ? client.build() : client.sslContext(tls).build();
    }

    /** Without the token. */
    @Override
    public String toString() {
        return url;
    }
}
