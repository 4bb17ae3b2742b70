package dev.lychgate.upstream;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The load that one event loop puts on one endpoint: concurrent attempts and response latency. Outlives generations.
 * Used only on its event loop.
 *
 * <p>The latency is a moving average that follows peaks: it rises immediately to the latency of a slow response, and
 * then decays by a factor of e per {@link #MEMORY}. Because it also decays without responses, an endpoint that is
 * avoided for its latency is tried again later.
 *
 * <p>A failure makes the endpoint less attractive until a response arrives, but for at most one second. Otherwise, an
 * endpoint that refuses connections quickly would appear to be idle.
 *
 * @see <a href="https://twitter.github.io/finagle/guide/Clients.html#power-of-two-choices-p2c-least-loaded">Finagle,
 *     P2C + Peak EWMA</a>, the source of the algorithm
 */
public final class EndpointLoad {
    /** The outcome of an attempt, as evidence about the endpoint. */
    public enum End {
        /** The origin responded, with any status. */
        ANSWERED,
        /** The origin or the connection to it failed. */
        FAILED,
        /** The gateway or the client ended the attempt before the response. */
        ABANDONED
    }

    static final double MEMORY = Duration.ofSeconds(10).toNanos();

    /**
     * The minimum latency that is recorded for a failure, in nanoseconds. Because of this minimum, an endpoint that
     * refuses connections immediately does not appear to be fast.
     */
    static final long FAILURE = Duration.ofSeconds(1).toNanos();

    /**
     * The cost of an endpoint that has attempts in progress, but has not sent any response yet. This cost is higher
     * than the cost of every other endpoint.
     */
    private static final double UNTRIED = 1e15;

    private final UpstreamLoad upstream;
    private int outstanding;
    private boolean failed;
    private long failedAt;
    private double average;
    private long averagedAt;

    EndpointLoad(UpstreamLoad upstream) {
        this.upstream = upstream;
    }

    /**
     * Counts the beginning of an attempt at this endpoint. For each call, {@link #end} must be called exactly one time.
     */
    public void begin() {
        outstanding++;
        upstream.began();
    }

    /**
     * Counts the end of an attempt.
     *
     * @param took the time until the response head or, without a response, until the end of the attempt, in nanoseconds
     * @param now nanoseconds
     */
    public void end(long took, End how, long now) {
        outstanding--;
        upstream.ended();
        switch (how) {
            case ANSWERED -> {
                failed = false;
                observe(took, now);
            }
            case FAILED -> {
                failed = true;
                failedAt = now;
                observe(Math.max(took, FAILURE), now);
            }
            case ABANDONED -> {
                // The response would have taken longer than the attempt lasted. Therefore, the attempt may raise the
                // average, but must not lower it.
                if (took > average) {
                    observe(took, now);
                }
            }
        }
    }

    /** Returns the number of concurrent attempts. */
    public int outstanding() {
        return outstanding;
    }

    /**
     * Returns whether the attempt that ended last was a failure, and ended less than a second ago.
     *
     * @param clock nanoseconds
     */
    boolean hasJustFailed(LongSupplier clock) {
        // Read the clock only after a failure.
        return failed && clock.getAsLong() - failedAt < FAILURE;
    }

    /**
     * Returns the expected cost of one more request at this endpoint: the latency, multiplied by the number of requests
     * in progress including the new request.
     *
     * @param now nanoseconds
     */
    double cost(long now) {
        if (average == 0) {
            return outstanding == 0 ? 0 : UNTRIED * (outstanding + 1);
        }
        decay(now, 0);
        return average * (outstanding + 1);
    }

    private void observe(long took, long now) {
        if (took >= average) {
            average = Math.max(1, took);
            averagedAt = now;
        } else {
            decay(now, (double) took);
        }
    }

    /** Moves the average toward {@code to}, by a part that grows with the elapsed time. */
    private void decay(long now, double to) {
        long passed = now - averagedAt;
        if (passed > 0) {
            average = Math.max(1, to + (average - to) * Math.exp(-passed / MEMORY));
            averagedAt = now;
        }
    }
}
