package dev.lychgate.server.discovery;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.RegistryConfig;
import dev.lychgate.server.push.BoundedText;
import dev.lychgate.server.push.ClientFailure;
import dev.lychgate.server.terminal.JsonValue;
import dev.lychgate.tls.JdkClientTls;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Sends GET requests to the servers of a source with the HTTP client of the JDK. A failed request is not retried; the
 * next request is sent to the next server. Redirects are not followed. Futures complete on the thread of the source,
 * and fail with a {@link SourceException}. Only the thread of the source may call the methods.
 */
final class SourceHttp {
    /** The maximum size of a response in bytes. 5,000 endpoints of Consul with their checks need about 15 MB. */
    private static final int LARGEST = 64 << 20;

    private final List<URI> servers;
    private final Duration timeout;
    private final SourceThread thread;
    private final HttpClient client;
    private int server;

    /** A response with the status 200, and its body as JSON. */
    record Page(JsonValue json, HttpHeaders headers) {}

    /**
     * Creates the client, and reads the certificates of its TLS settings. May block.
     *
     * @throws ConfigException if a file is unusable
     */
    SourceHttp(RegistryConfig config, SourceThread thread) {
        this.servers = config.url();
        this.timeout = config.timeout();
        this.thread = thread;
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

    private URI server() {
        return servers.get(Math.floorMod(server, servers.size()));
    }

    private HttpRequest.Builder request(String path, Map<String, String> headers) {
        String base = server().toString().replaceFirst("/$", "");
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(base + path)).header("accept", "application/json");
        headers.forEach(request::header);
        return request;
    }

    /**
     * Sends a request for JSON.
     *
     * @param path the path and the query, appended to the URL of the server
     * @param delay the time for which the server may delay its response
     */
    CompletableFuture<Page> get(String path, Map<String, String> headers, Duration delay) {
        Duration limit = timeout.plus(delay);
        HttpRequest request = request(path, headers).timeout(limit).build();
        CompletableFuture<HttpResponse<String>> exchange = client.sendAsync(request, head -> new BoundedText(LARGEST));
        CompletableFuture<Page> result = new CompletableFuture<>();
        // The timeout of the JDK covers the request only until the response head, so orTimeout limits the whole
        // response.
        exchange.copy()
                .orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS)
                .whenCompleteAsync(
                        (response, failure) -> {
                            try {
                                if (failure != null) {
                                    exchange.cancel(true);
                                    throw failed(failure);
                                }
                                result.complete(page(response));
                            } catch (SourceException e) {
                                result.completeExceptionally(e);
                            }
                        },
                        thread);
        result.whenComplete((page, failure) -> {
            if (result.isCancelled()) {
                exchange.cancel(true);
            }
        });
        return result;
    }

    /**
     * Opens a stream of JSON lines. The request ends when the returned future is cancelled.
     *
     * @param lines receives the lines
     * @return completes at the end of the stream
     */
    CompletableFuture<Void> stream(String path, Map<String, String> headers, JsonStream lines) {
        HttpRequest request = request(path, headers).build();
        CompletableFuture<HttpResponse<Void>> exchange = client.sendAsync(request, lines::status);
        CompletableFuture<Void> result = new CompletableFuture<>();
        exchange.whenCompleteAsync(
                (response, failure) -> {
                    if (failure != null) {
                        result.completeExceptionally(failed(failure));
                    } else {
                        result.complete(null);
                    }
                },
                thread);
        result.whenComplete((done, failure) -> {
            if (result.isCancelled()) {
                exchange.cancel(true);
            }
        });
        return result;
    }

    private Page page(HttpResponse<String> response) throws SourceException {
        if (response.statusCode() != 200) {
            throw refused(response.statusCode());
        }
        try {
            return new Page(JsonValue.of(response.body()), response.headers());
        } catch (IOException e) {
            String from = server().toString();
            server++;
            throw new SourceException(0, from + ": the response is not JSON", e);
        }
    }

    /** Returns the exception for a request to which the server responded with a status other than 200. */
    private SourceException refused(int status) {
        String from = server().toString();
        if (status >= 500) {
            server++;
        }
        return new SourceException(status, from + ": status " + status);
    }

    private SourceException failed(Throwable failure) {
        Throwable cause = ClientFailure.cause(failure);
        if (cause instanceof SourceException known) {
            return known.status() == 0 ? known : refused(known.status());
        }
        String reason = cause instanceof BoundedText.TooLong
                ? "the response is larger than 64 MiB"
                : ClientFailure.reason(cause);
        String from = server().toString();
        server++;
        return new SourceException(0, from + ": " + reason, cause);
    }
}
