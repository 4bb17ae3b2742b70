package dev.lychgate.server.bench;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Sends GET requests to a URL at a constant rate. A request is sent when it is due, even if responses to earlier
 * requests are missing, so a slow service gets as many requests as a fast one. Used by one thread.
 */
public final class OpenLoop {
    private static final Duration TICK = Duration.ofMillis(1);
    /** The maximum number of requests without a response. If it is reached, further requests fail. */
    private static final int MOST_OPEN = 10_000;

    /** The failure reason of requests that were not sent because too many responses were missing. */
    static final String NOT_SENT = "not-sent";

    private final HttpClient client;
    private final Duration timeout;

    /**
     * @param timeout the maximum time until the end of a response
     * @param http2 whether the requests use HTTP/2, which the service must support
     * @param trust the certificates that the client trusts; null for the authorities of the JVM
     */
    public OpenLoop(Duration timeout, boolean http2, @Nullable SSLContext trust) {
        this.timeout = timeout;
        HttpClient.Builder builder = HttpClient.newBuilder()
                .connectTimeout(timeout)
                .version(http2 ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1);
        if (trust != null) {
            builder.sslContext(trust);
        }
        this.client = builder.build();
    }

    /**
     * Sends requests and waits for their responses.
     *
     * @param rate the number of requests per second
     * @param length the time in which requests are sent
     */
    public Measured measure(URI url, int rate, Duration length) throws InterruptedException {
        Run run = new Run(HttpRequest.newBuilder(url).timeout(timeout).build(), rate, length);
        ScheduledExecutorService ticks = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "lychgate-bench");
            thread.setDaemon(true);
            return thread;
        });
        try {
            ticks.scheduleAtFixedRate(run::sendDue, 0, TICK.toNanos(), TimeUnit.NANOSECONDS);
            run.sent.acquire();
            // All permits are free when each request has its response, or has failed.
            run.open.acquire(MOST_OPEN);
        } finally {
            ticks.shutdownNow();
        }
        return run.measured;
    }

    private final class Run {
        private final HttpRequest request;
        private final double nanosBetween;
        private final long count;
        private final long began = System.nanoTime();
        private final Measured measured = new Measured();
        private final Semaphore open = new Semaphore(MOST_OPEN);
        private final Semaphore sent = new Semaphore(0);
        private long next;

        Run(HttpRequest request, int rate, Duration length) {
            this.request = request;
            this.nanosBetween = 1e9 / rate;
            this.count = Math.max(1, (long) (length.toNanos() / nanosBetween));
        }

        private long due(long index) {
            return began + (long) (index * nanosBetween);
        }

        private void sendDue() {
            while (next < count && due(next) <= System.nanoTime()) {
                send(due(next));
                next++;
            }
            if (next == count) {
                next++;
                sent.release();
            }
        }

        private void send(long due) {
            if (!open.tryAcquire()) {
                measured.failure(NOT_SENT);
                return;
            }
            // The timeout of the request itself ends when the head of the response has arrived.
            client.sendAsync(request, HttpResponse.BodyHandlers.discarding())
                    .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                    .whenComplete((response, failure) -> {
                        record(due, response, failure);
                        open.release();
                    });
        }

        private void record(long due, @Nullable HttpResponse<Void> response, @Nullable Throwable failure) {
            if (failure != null || response == null) {
                measured.failure(reason(failure));
            } else if (response.statusCode() >= 500) {
                measured.failure(Integer.toString(response.statusCode()));
            } else {
                measured.response(System.nanoTime() - due);
            }
        }
    }

    private static String reason(@Nullable Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof HttpTimeoutException || cause instanceof TimeoutException) {
            return "timeout";
        }
        return cause instanceof IOException ? "connection" : String.valueOf(cause);
    }
}
