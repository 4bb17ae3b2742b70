package dev.lychgate.oidc;

import dev.lychgate.http.QueryParameters;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to providers. Redirects are not followed, and proxies are used only if they are configured. The
 * returned futures complete on the thread that owns the state of the extension.
 */
final class Calls {
    private static final int THREADS = 4;
    private static final long IDLE_SECONDS = 10;

    private final HttpClient client;
    private final Duration timeout;
    private final Executor owner;

    /** The complete response of a provider. */
    static final class Reply {
        private final int status;
        private final byte[] body;

        Reply(int status, byte[] body) {
            this.status = status;
            this.body = body;
        }

        int status() {
            return status;
        }

        /** Returns the body, which the caller must not change. */
        byte[] body() {
            return body;
        }
    }

    /**
     * Creates a client for requests to providers.
     *
     * @param timeout the time from the start of the connection to the last byte of the response
     * @param proxy null for direct connections
     * @param trust the trusted authorities; null for the authorities of the JDK
     * @param owner runs the actions that depend on the returned futures
     */
    Calls(Duration timeout, @Nullable InetSocketAddress proxy, @Nullable SSLContext trust, Executor owner) {
        this.timeout = timeout;
        this.owner = owner;
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
                    Thread thread = new Thread(work, "lychgate-oidc-calls");
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(timeout)
                .proxy(proxy == null ? HttpClient.Builder.NO_PROXY : ProxySelector.of(proxy))
                .executor(threads);
        if (trust != null) {
            builder.sslContext(trust);
        }
        this.client = builder.build();
    }

    /**
     * Requests a document by GET.
     *
     * @param limit the maximum length of the response body, in bytes
     */
    CompletableFuture<Reply> get(URI uri, int limit) {
        return send(request(uri).GET(), uri, limit);
    }

    /**
     * Posts a form.
     *
     * @param authorization the header {@code Authorization}; null if the request has no such header
     * @param limit the maximum length of the response body, in bytes
     */
    CompletableFuture<Reply> post(URI uri, Map<String, String> form, @Nullable String authorization, int limit) {
        HttpRequest.Builder request = request(uri)
                .header("content-type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(encoded(form)));
        if (authorization != null) {
            request.header("authorization", authorization);
        }
        return send(request, uri, limit);
    }

    /** Returns parameters encoded as a query. */
    static String encoded(Map<String, String> parameters) {
        return parameters.entrySet().stream()
                .map(entry -> QueryParameters.encoded(entry.getKey()) + "=" + QueryParameters.encoded(entry.getValue()))
                .collect(Collectors.joining("&"));
    }

    private HttpRequest.Builder request(URI uri) {
        return HttpRequest.newBuilder(uri)
                .timeout(timeout)
                .header("accept", "application/json")
                .header("user-agent", "lychgate");
    }

    private CompletableFuture<Reply> send(HttpRequest.Builder request, URI uri, int limit) {
        CompletableFuture<HttpResponse<byte[]>> exchange =
                client.sendAsync(request.build(), head -> new BoundedBody(limit));
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        exchange.copy()
                .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .whenCompleteAsync(
                        (response, failure) -> {
                            if (failure == null) {
                                reply.complete(new Reply(response.statusCode(), response.body()));
                            } else {
                                exchange.cancel(true);
                                reply.completeExceptionally(
                                        ProviderException.unavailable(uri.getHost() + ": " + reason(failure)));
                            }
                        },
                        owner);
        return reply;
    }

    private String reason(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof TimeoutException) {
            return "no complete response within " + timeout.toMillis() + " ms";
        }
        String message = cause.getMessage();
        return cause.getClass().getSimpleName() + (message == null ? "" : ": " + message);
    }
}
