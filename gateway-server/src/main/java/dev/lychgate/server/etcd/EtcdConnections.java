package dev.lychgate.server.etcd;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.EtcdConfig;
import dev.lychgate.server.json.JsonObject;
import dev.lychgate.server.json.JsonText;
import dev.lychgate.server.push.BoundedText;
import dev.lychgate.server.push.ClientFailure;
import dev.lychgate.server.terminal.JsonValue;
import dev.lychgate.tls.JdkClientTls;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** Sends requests to single members, without retries, by the HTTP client of the JDK. Redirects are not followed. */
final class EtcdConnections {
    /**
     * The maximum size of a response, in bytes. It exceeds the size of the Base64 form of the largest value that etcd
     * accepts by default (1.5 MiB).
     */
    private static final int LARGEST = 4 << 20;

    private static final int LONGEST_ERROR = 200;

    private final EtcdConfig config;
    private final HttpClient client;

    /**
     * Reads the certificates. May block.
     *
     * @throws ConfigException if a file is unusable
     */
    EtcdConnections(EtcdConfig config, Executor thread) {
        this.config = config;
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(config.timeout())
                .executor(thread);
        if (config.ca() != null || config.certificate() != null) {
            builder.sslContext(JdkClientTls.of(config.ca(), config.certificate()));
        }
        this.client = builder.build();
    }

    private static HttpRequest.Builder request(URI member, String path, JsonObject body, String token) {
        HttpRequest.Builder request = HttpRequest.newBuilder(member.resolve(path))
                .header("content-type", "application/json")
                // With this header, a member that has no leader ends a watch. Without it, the watch would stay open but
                // receive no events.
                .header("grpc-metadata-hasleader", "true")
                .POST(BodyPublishers.ofByteArray(JsonText.of(body).getBytes(StandardCharsets.UTF_8)));
        return token.isEmpty() ? request : request.header("authorization", token);
    }

    /** Sends a request to a member. The future fails with an {@link EtcdException}. */
    CompletableFuture<JsonValue> send(URI member, String path, JsonObject body, String token) {
        HttpRequest request =
                request(member, path, body, token).timeout(config.timeout()).build();
        CompletableFuture<HttpResponse<String>> exchange = client.sendAsync(request, head -> new BoundedText(LARGEST));
        // The timeout of the JDK covers the request only until the response head, so orTimeout limits the whole
        // response.
        return exchange.copy()
                .orTimeout(config.timeout().toMillis(), TimeUnit.MILLISECONDS)
                .handle((response, failure) -> {
                    if (failure != null) {
                        exchange.cancel(true);
                        throw new CompletionException(unavailable(member, failure));
                    }
                    return parsed(member, response);
                });
    }

    /** Returns the current time by a member's clock. */
    CompletableFuture<Instant> time(URI member) {
        HttpRequest request = HttpRequest.newBuilder(member.resolve("/version"))
                .timeout(config.timeout())
                .build();
        return client.sendAsync(request, head -> new BoundedText(LARGEST)).handle((response, failure) -> {
            if (failure != null) {
                throw new CompletionException(unavailable(member, failure));
            }
            String date = response.headers().firstValue("date").orElse("");
            try {
                return Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date));
            } catch (DateTimeException e) {
                throw new CompletionException(
                        new EtcdException(EtcdException.Kind.UNREADABLE, member + ": the response has no date", e));
            }
        });
    }

    private static JsonValue parsed(URI member, HttpResponse<String> response) {
        try {
            JsonValue json = JsonValue.of(response.body().isEmpty() ? "{}" : response.body());
            if (response.statusCode() == 200) {
                return json;
            }
            throw new CompletionException(EtcdException.of(response.statusCode(), error(json)));
        } catch (IOException e) {
            EtcdException.Kind kind =
                    response.statusCode() == 200 ? EtcdException.Kind.UNREADABLE : EtcdException.Kind.UNAVAILABLE;
            throw new CompletionException(new EtcdException(
                    kind, member + ": the response with status " + response.statusCode() + " has no readable JSON", e));
        }
    }

    private static String error(JsonValue json) {
        String error = json.text("error").isEmpty() ? json.text("message") : json.text("error");
        return error.length() <= LONGEST_ERROR ? error : error.substring(0, LONGEST_ERROR) + "...";
    }

    /**
     * Opens a stream of JSON lines from a member. The request ends when the returned future is cancelled.
     *
     * @param lines receives the lines
     * @return completes at the end of the stream, and fails with an {@link EtcdException}
     */
    CompletableFuture<Void> stream(URI member, String path, JsonObject body, String token, JsonLines lines) {
        HttpRequest request = request(member, path, body, token).build();
        CompletableFuture<HttpResponse<Void>> exchange = client.sendAsync(request, head -> lines.status(head));
        CompletableFuture<Void> ended = exchange.handle((response, failure) -> {
            if (failure != null) {
                throw new CompletionException(unavailable(member, failure));
            }
            return response.body();
        });
        ended.whenComplete((done, failure) -> {
            if (ended.isCancelled()) {
                exchange.cancel(true);
            }
        });
        return ended;
    }

    static EtcdException unavailable(URI member, Throwable failure) {
        Throwable cause = ClientFailure.cause(failure);
        if (cause instanceof EtcdException known) {
            return known;
        }
        if (cause instanceof BoundedText.TooLong) {
            return new EtcdException(
                    EtcdException.Kind.UNREADABLE, member + ": the response is larger than 4 MiB", cause);
        }
        return new EtcdException(EtcdException.Kind.UNAVAILABLE, member + ": " + ClientFailure.reason(cause), cause);
    }
}
