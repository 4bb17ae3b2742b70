package dev.lychgate.upstream;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * What one event loop asks of one endpoint: attempts under way, and how long answers take. Outlives generations. Used on
 * its loop only.
 *
 * <p>The time is a peak-sensitive moving average: it jumps up to a slow answer at once and comes down slowly, by a factor
 * of e in {@link #MEMORY}, whether answers come or not; so an endpoint that is left for being slow is tried again some
 * time. A failure is remembered for a second, or until an answer comes: who refuses quickly would look idle otherwise.
 *
 * @see <a href="https://twitter.github.io/finagle/guide/Clients.html#power-of-two-choices-p2c-least-loaded">Finagle, P2C +
 *     Peak EWMA</a>, where the idea comes from
 */
public final class EndpointLoad {
    /** How an attempt ended, as far as it says something about the endpoint. */
    public enum End {
        /** The origin answered, whatever the status. */
        ANSWERED,
        /** The origin, or the way to it, failed. */
        FAILED,
        /** Ended from our side, or the client's, before there was an answer. */
        ABANDONED
    }

    static final double MEMORY = Duration.ofSeconds(10).toNanos();

    /** What a failure counts as at least: refusing at once must not look quick. */
    static final long FAILURE = Duration.ofSeconds(1).toNanos();

    /** The cost of an endpoint that has been asked and has never answered: above all that have. */
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

    /** An attempt has been given this endpoint; {@link #end} follows exactly once. */
    public void begin() {
        outstanding++;
        upstream.began();
    }

    /**
     * An attempt has ended.
     *
     * @param took from its begin to the head of the answer, or to its end if there was none; nanoseconds
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
                // It would have taken longer than that: no reason to think better of it.
                if (took > average) {
                    observe(took, now);
                }
            }
        }
    }

    /** Attempts under way. */
    public int outstanding() {
        return outstanding;
    }

    /** Whether its last attempt to come to an end has failed, less than a second ago. @param clock nanoseconds */
    boolean hasJustFailed(LongSupplier clock) {
        // The clock is asked only if there is something to forget.
        return failed && clock.getAsLong() - failedAt < FAILURE;
    }

    /** What one more request would have to expect: time times queue. @param now nanoseconds */
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

    /** Comes down towards {@code to} for the time that has passed. */
    private void decay(long now, double to) {
        long passed = now - averagedAt;
        if (passed > 0) {
            average = Math.max(1, to + (average - to) * Math.exp(-passed / MEMORY));
            averagedAt = now;
        }
    }
}
