package dev.lychgate.server.cli;

import dev.lychgate.server.engine.StartException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Asks an admin listener, over connections that are used again. */
final class AdminClient {
    private final HttpClient client;
    private final String url;
    private final @Nullable String token;
    private final Duration patience;

    /** @param patience how long it waits for an answer */
    AdminClient(HttpClient client, String url, @Nullable String token, Duration patience) {
        this.client = client;
        this.url = url;
        this.token = token;
        this.patience = patience;
    }

    /** Asks. @param method GET or POST. @throws StartException if nobody answers */
    HttpResponse<String> ask(String method, String target) throws StartException, InterruptedException {
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + target))
                    .timeout(patience)
                    .header("x-lychgate-admin", "cli")
                    .method(method, HttpRequest.BodyPublishers.noBody());
            if (token != null) {
                request.header("authorization", "Bearer " + token);
            }
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException | IllegalArgumentException e) {
            throw new StartException(
                    "no gateway answers at " + url.replaceFirst("^http://", "") + ": " + Unanswered.why(url, e));
        }
    }
}
