package dev.lychgate.resilience;

import dev.lychgate.error.ErrorKind;
import org.jspecify.annotations.Nullable;

/**
 * The permits that one attempt has acquired from its guards (circuit breaker, bulkhead, adaptive limit). Permits are
 * acquired together and released together, exactly one time. An instance serves one attempt at a time, or holds the
 * permit of a route's bulkhead for one exchange. Used on one event loop only.
 */
public final class Admission {
    private final AttemptTally.@Nullable Cell tally;
    private Guards guards = Guards.NONE;
    private long[] tickets = NO_TICKETS;
    private boolean inside;
    private long since;
    private long refusal;
    private @Nullable Guard refusedBy;

    private static final long[] NO_TICKETS = {};

    /**
     * Creates an admission without permits.
     *
     * @param tally counts the outcomes of attempts; null if they are not counted
     */
    public Admission(AttemptTally.@Nullable Cell tally) {
        this.tally = tally;
    }

    /**
     * Acquires a permit of each guard for a request that may use the whole of each limit. See
     * {@link #enter(Guards, LimitShare, long)}.
     */
    public boolean enter(Guards asked, long now) {
        return enter(asked, LimitShare.WHOLE, now);
    }

    /**
     * Acquires a permit of each guard. If a guard refuses, the permits of the previous guards are released with the
     * outcome {@link Ending#IGNORED}.
     *
     * @param share the part of each limit that the request may use
     * @param now the loop's clock, in nanoseconds
     * @return true if the attempt may begin; false if a guard refused, in which case {@link #refusedWith} returns the
     *     reason
     */
    public boolean enter(Guards asked, LimitShare share, long now) {
        if (inside) {
            throw new IllegalStateException("permits were acquired twice without a release");
        }
        guards = asked;
        since = now;
        refusedBy = null;
        int n = asked.size();
        if (tickets.length < n) {
            tickets = new long[n];
        }
        for (int i = 0; i < n; i++) {
            long answer = asked.get(i).tryAcquire(now, share);
            if (Guard.isRefusal(answer)) {
                refusal = answer;
                refusedBy = asked.get(i);
                giveBack(i, Ending.IGNORED, 0, now);
                if (tally != null) {
                    tally.refused(asked.get(i).kind());
                }
                return false;
            }
            tickets[i] = answer;
        }
        inside = true;
        if (tally != null) {
            tally.began();
        }
        return true;
    }

    /**
     * Releases the permits, because the attempt has ended. Calls after the first one have no effect.
     *
     * @param now the loop's clock, in nanoseconds
     */
    public void leave(Ending ending, long now) {
        leave(ending, now, now);
    }

    /**
     * Releases the permits after an attempt that has received a response head.
     *
     * @param answered the time at which the response head arrived; the measured latency ends at this time
     */
    public void leave(Ending ending, long answered, long now) {
        if (!inside) {
            return;
        }
        inside = false;
        long latency = answered - since;
        giveBack(guards.size(), ending, latency, now);
        if (tally != null) {
            tally.ended(ending, latency);
        }
    }

    private void giveBack(int count, Ending ending, long latency, long now) {
        // Releases in reverse order, so that an inner guard's permit is free before an outer guard admits the next
        // attempt.
        for (int i = count - 1; i >= 0; i--) {
            guards.get(i).release(tickets[i], ending, latency, now);
        }
    }

    /** Returns the error kind of the guard that refused the attempt. */
    public ErrorKind refusedWith() {
        Guard by = refusedBy;
        if (by == null) {
            throw new IllegalStateException("no guard rejected the request");
        }
        return by.kind();
    }

    /** Returns the value of {@code Retry-After} for a refused request, in whole seconds; at least 1. */
    public int retryAfterSeconds() {
        long nanos = Guard.retryAfter(refusal);
        return (int) Math.max(1, (nanos + 999_999_999L) / 1_000_000_000L);
    }
}
