package dev.lychgate.server.push;

import dev.lychgate.config.Durations;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.ResponseInfo;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.UnresolvedAddressException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Makes single attempts to send a body. Only the status of the response decides the outcome; a stalled or endless
 * response body is not read to its end. The client uses HTTP/1.1, which every receiver supports. It follows no
 * redirects, because a body for one host must not be sent to another host. Not thread-safe.
 */
final class PushClient {
    private final PushTarget target;
    private final Function<byte[], Map<String, String>> headers;
    private final HttpClient client;
    private final HttpRequest template;

    PushClient(String name, PushTarget target) {
        this(name, target, body -> Map.of());
    }

    /** @param headers returns the header fields of a body, in addition to the headers of the target */
    PushClient(String name, PushTarget target, Function<byte[], Map<String, String>> headers) {
        this.target = target;
        this.headers = headers;
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(target.timeout())
                .executor(oneThread(name));
        if (target.tls() != null) {
            builder.sslContext(target.tls());
        }
        this.client = builder.build();
        HttpRequest.Builder request = HttpRequest.newBuilder(target.url()).timeout(target.timeout());
        request.setHeader("content-type", target.contentType());
        if (target.gzip()) {
            request.setHeader("content-encoding", "gzip");
        }
        this.template = request.build();
    }

    /**
     * Creates an executor for the HTTP client's internal tasks, none of which blocks. Its thread ends when it is idle.
     */
    private static ThreadPoolExecutor oneThread(String name) {
        ThreadPoolExecutor executor =
                new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "lychgate-push-" + name + "-io");
                    thread.setDaemon(true);
                    return thread;
                });
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    /**
     * Sends a body. A call takes no longer than the target's timeout, but the operating system determines the time
     * limit of the name lookup.
     */
    Outcome post(byte[] body) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(template, (name, value) -> true).POST(BodyPublishers.ofByteArray(body));
        target.headers().get().forEach(request::setHeader);
        headers.apply(body).forEach(request::setHeader);
        BoundedAnswer answer = new BoundedAnswer();
        CompletableFuture<?> exchange = client.sendAsync(request.build(), answer);
        try {
            exchange.get(target.timeout().toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            return answered(answer, why(e.getCause()));
        } catch (TimeoutException e) {
            exchange.cancel(true);
            return answered(answer, "no response within " + Durations.print(target.timeout()));
        } catch (InterruptedException e) {
            exchange.cancel(true);
            Thread.currentThread().interrupt();
            return new Outcome.Failed("interrupted", Duration.ZERO);
        }
        return answered(answer, "no response");
    }

    private static Outcome answered(BoundedAnswer answer, String otherwise) {
        ResponseInfo head = answer.head;
        return head == null
                ? new Outcome.Failed(otherwise, Duration.ZERO)
                : of(head.statusCode(), head.headers(), Instant.now());
    }

    static Outcome of(int status, HttpHeaders headers, Instant now) {
        if (status >= 200 && status < 300) {
            return new Outcome.Delivered();
        }
        String why = "status " + status;
        return status == 408 || status == 429 || status >= 500
                ? new Outcome.Failed(
                        why,
                        headers.firstValue("retry-after").map(v -> wait(v, now)).orElse(Duration.ZERO))
                : new Outcome.Refused(why);
    }

    /**
     * Parses a {@code Retry-After} value, which is in seconds or a date (RFC 9110, section 10.2.3). Returns zero if the
     * value is malformed.
     */
    private static Duration wait(String retryAfter, Instant now) {
        String value = retryAfter.strip();
        if (value.matches("[0-9]{1,9}")) {
            return Duration.ofSeconds(Long.parseLong(value));
        }
        try {
            Duration until = Duration.between(now, Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(value)));
            return until.isNegative() ? Duration.ZERO : until;
        } catch (DateTimeException | ArithmeticException e) {
            return Duration.ZERO;
        }
    }

    /** Keeps the head of a response and discards its body up to a bound, so that the connection can be reused. */
    private static final class BoundedAnswer extends BoundedBody<Boolean> implements HttpResponse.BodyHandler<Boolean> {
        private static final long MOST_BYTES = 64 << 10;

        /** The response head; null until it has arrived. */
        private volatile @Nullable ResponseInfo head;

        BoundedAnswer() {
            super(MOST_BYTES);
        }

        @Override
        public HttpResponse.BodySubscriber<Boolean> apply(ResponseInfo info) {
            head = info;
            return this;
        }

        @Override
        protected void accept(ByteBuffer part) {}

        @Override
        protected void complete(CompletableFuture<Boolean> result, boolean tooLong) {
            result.complete(!tooLong);
        }
    }

    /**
     * Describes a failure with fixed texts, because the JDK's messages quote the response, which may echo the request.
     */
    private String why(@Nullable Throwable cause) {
        if (cause instanceof HttpTimeoutException) {
            return "no response within " + Durations.print(target.timeout());
        }
        if (cause instanceof ConnectException) {
            return cause.getCause() instanceof UnresolvedAddressException
                    ? "the host name is unknown"
                    : "can't connect";
        }
        if (cause instanceof SSLException) {
            return "TLS: " + cause.getMessage();
        }
        String message = cause == null ? "" : String.valueOf(cause.getMessage());
        if (message.startsWith("Connection reset") || message.endsWith("received no bytes")) {
            return "the connection was closed without a response";
        }
        return "malformed response";
    }
}
