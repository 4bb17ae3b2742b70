package dev.lychgate.server.cli;

import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.push.BoundedText;
import dev.lychgate.server.terminal.JsonValue;
import dev.lychgate.server.terminal.Printable;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Sends requests to an admin listener over reused connections. */
final class AdminClient {
    /** Maps each request to a JSON member. If a response contains this member, it comes from an admin listener. */
    private static final Map<String, String> MEMBERS = Map.ofEntries(
            Map.entry("POST /reload", "kept"),
            Map.entry("POST /rollback", "kept"),
            Map.entry("GET /history", "entries"),
            Map.entry("GET /rollout", "state"),
            Map.entry("POST /rollout", "state"),
            Map.entry("GET /rate-limits", "rate_limits"),
            Map.entry("GET /rate-limits/keys", "rate_limits"),
            Map.entry("GET /clients", "address_lists"),
            Map.entry("GET /bans", "bans"),
            Map.entry("POST /bans", "client"),
            Map.entry("POST /bans/end", "client"),
            Map.entry("POST /cache/purge", "removed"),
            Map.entry("GET /mirrors", "mirrors"),
            Map.entry("GET /mirrors/examples", "mirrors"),
            Map.entry("POST /mirrors/reset", "mirrors"),
            Map.entry("POST /upstreams/endpoint", "endpoint"),
            Map.entry("POST /breakers", "position"),
            Map.entry("POST /filters", "filters"),
            Map.entry("POST /log", "loggers"),
            Map.entry("GET /explain", "considered"),
            Map.entry("GET /generations/diff", "differs"),
            Map.entry("GET /exchanges/one", "id"),
            Map.entry("GET /exchanges/recording", "id"),
            Map.entry("GET /exchanges", "exchanges"));

    /** An upper bound for the length of a response body of an admin listener, in bytes. */
    private static final int MOST_BYTES = 33 << 20;

    private final HttpClient client;
    private final String url;
    private final @Nullable String token;
    private final Duration patience;

    /** @param patience time limit for a complete response */
    AdminClient(HttpClient client, String url, @Nullable String token, Duration patience) {
        this.client = client;
        this.url = url;
        this.token = token;
        this.patience = patience;
    }

    String url() {
        return url;
    }

    /**
     * Sends a request.
     *
     * @param method GET or POST
     * @throws StartException if no response arrives in time, or if a response with status 200 is not from an admin
     *     listener
     */
    HttpResponse<String> ask(String method, String target) throws StartException, InterruptedException {
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + target))
                    .timeout(patience)
                    .header("x-lychgate-admin", "cli")
                    .method(method, HttpRequest.BodyPublishers.noBody());
            if (token != null) {
                request.header("authorization", "Bearer " + token);
            }
            HttpResponse<String> response =
                    whole(client.sendAsync(request.build(), head -> new BoundedText(MOST_BYTES)));
            if (response.statusCode() == 200 && !isPage(response, method + " " + target.replaceFirst("\\?.*", ""))) {
                throw new StartException("the response of " + where() + " is not from a gateway: "
                        + Printable.escaped(
                                response.body().strip().lines().findFirst().orElse("an empty body"))
                        + "; is it the admin listener of a gateway?");
            }
            return response;
        } catch (IOException | IllegalArgumentException e) {
            throw new StartException("no gateway responds at " + where() + ": " + Unanswered.why(url, e, patience));
        }
    }

    private String where() {
        return url.replaceFirst("^http://", "");
    }

    private static boolean isPage(HttpResponse<String> response, String request) {
        String type = response.headers().firstValue("content-type").orElse("");
        if (!type.startsWith("application/json")) {
            return false;
        }
        try {
            JsonValue page = JsonValue.of(response.body());
            String member = MEMBERS.get(request);
            return member == null || page.has(member);
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Limits the time for the complete response. The timeout of a request covers only the response head, and an unknown
     * server may never end the body.
     */
    private HttpResponse<String> whole(CompletableFuture<HttpResponse<String>> answer)
            throws IOException, InterruptedException {
        try {
            return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
        } catch (TimeoutException e) {
            throw new HttpTimeoutException("the response is incomplete after the timeout");
        } finally {
            answer.cancel(true);
        }
    }

    /**
     * Returns a problem document (RFC 9457) as lines: the entries of the member {@code faults}, or the detail if that
     * member is missing. Returns any other text unchanged.
     */
    static List<String> problem(String body) {
        try {
            JsonValue problem = JsonValue.of(body);
            List<String> faults =
                    problem.list("faults").stream().map(JsonValue::raw).toList();
            String detail = problem.get("detail").raw();
            return faults.isEmpty() ? List.of(detail.isEmpty() ? body.strip() : detail) : faults;
        } catch (IOException e) {
            // The server may not be a Lychgate gateway, so the body is shown unchanged.
            return List.of(body.strip());
        }
    }
}
