package dev.lychgate.identity;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Downloads small documents of issuers, over HTTPS or from a loopback address. Redirects are not followed. The HTTP
 * client of the JDK is created with the first download, and is not used on event loops.
 */
final class Documents {
    private static final int LONGEST = 1 << 20;
    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final Duration WHOLE = Duration.ofSeconds(4);

    /** The client is created when it is first needed, because creating it starts a thread. */
    private static final class Client {
        static final HttpClient CLIENT = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(CONNECT)
                .build();
    }

    private Documents() {}

    /**
     * Returns a URL from which documents may be downloaded. Its scheme is {@code https}, or {@code http} if the host is
     * a loopback address.
     *
     * @throws IllegalArgumentException if the text is not a permitted URL; the message states the expected form
     */
    static URI permitted(String text) {
        String expected = "an https URL, or an http URL of a loopback address";
        try {
            URI url = new URI(text);
            String host = url.getHost();
            boolean local =
                    host != null && (host.equals("localhost") || host.equals("127.0.0.1") || host.equals("[::1]"));
            boolean secure = "https".equals(url.getScheme()) || ("http".equals(url.getScheme()) && local);
            if (host != null && secure && url.getRawUserInfo() == null && url.getRawFragment() == null) {
                return url;
            }
        } catch (java.net.URISyntaxException e) {
            // The exception below states the expected form.
        }
        throw new IllegalArgumentException(expected);
    }

    /**
     * Downloads a document of at most 1 MiB. The whole download takes at most 4 seconds. Must not be called on an event
     * loop.
     *
     * @return a future that fails with an {@link IOException} if the status is not 200
     */
    static CompletableFuture<String> get(URI url) {
        return get(url, WHOLE);
    }

    /**
     * Downloads a document like {@link #get(URI)}.
     *
     * @param time the longest time for the whole download
     */
    static CompletableFuture<String> get(URI url, Duration time) {
        HttpRequest request = HttpRequest.newBuilder(url)
                .timeout(time)
                .header("accept", "application/json, application/jwk-set+json")
                .GET()
                .build();
        CompletableFuture<HttpResponse<byte[]>> exchange =
                Client.CLIENT.sendAsync(request, head -> new Limited(head.statusCode()));
        return exchange.copy()
                .orTimeout(time.toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((response, failure) -> {
                    if (failure != null) {
                        // The timeout of the request covers only the response head. Without this cancellation, the
                        // connection would stay open.
                        exchange.cancel(true);
                    }
                })
                .thenApply(whole -> new String(whole.body(), StandardCharsets.UTF_8));
    }

    /** Collects a body, unless it is too long or the status is not 200. */
    private static final class Limited implements BodySubscriber<byte[]> {
        private final int status;
        private final CompletableFuture<byte[]> body = new CompletableFuture<>();
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private Flow.@Nullable Subscription subscription;

        Limited(int status) {
            this.status = status;
        }

        @Override
        public CompletionStage<byte[]> getBody() {
            return body;
        }

        @Override
        public void onSubscribe(Flow.Subscription to) {
            subscription = to;
            if (status == 200) {
                to.request(Long.MAX_VALUE);
            } else {
                refuse("status " + status);
            }
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            for (ByteBuffer buffer : buffers) {
                byte[] chunk = new byte[buffer.remaining()];
                buffer.get(chunk);
                if (bytes.size() + chunk.length > LONGEST) {
                    refuse("more than 1 MiB");
                    return;
                }
                bytes.write(chunk, 0, chunk.length);
            }
        }

        private void refuse(String why) {
            body.completeExceptionally(new IOException(why));
            if (subscription != null) {
                subscription.cancel();
            }
        }

        @Override
        public void onError(Throwable failure) {
            body.completeExceptionally(failure);
        }

        @Override
        public void onComplete() {
            body.complete(bytes.toByteArray());
        }
    }
}
