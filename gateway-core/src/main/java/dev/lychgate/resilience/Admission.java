package dev.lychgate.resilience;

import dev.lychgate.error.ErrorKind;
import org.jspecify.annotations.Nullable;

/**
 * What an attempt holds of its guards: entered once, left once, whatever happens between. One object for each attempt, or
 * kept by the exchange and used for one attempt after the other; entering and leaving make no garbage. On one event loop.
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

    /** @param tally counts what happens to attempts; null if nobody wants to know */
    public Admission(AttemptTally.@Nullable Cell tally) {
        this.tally = tally;
    }

    /**
     * Asks all of them. If one refuses, those that had let pass are told that it came to nothing.
     *
     * @param now the loop's clock, in nanoseconds
     * @return whether the attempt may begin; if not, {@link #refusedWith} says why
     */
    public boolean enter(Guards asked, long now) {
        if (inside) {
            throw new IllegalStateException("an admission was entered twice");
        }
        guards = asked;
        since = now;
        refusedBy = null;
        int n = asked.size();
        if (tickets.length < n) {
            tickets = new long[n];
        }
        for (int i = 0; i < n; i++) {
            long answer = asked.get(i).tryAcquire(now);
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
     * The attempt is over. Later calls are of no effect: whoever sees an attempt's end first says how it was.
     *
     * @param now the loop's clock, in nanoseconds
     */
    public void leave(Ending ending, long now) {
        leave(ending, now, now);
    }

    /**
     * The attempt is over, and its response head had come before.
     *
     * @param answered when the response head came: what the origin took is counted to here, not to the last byte
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
        // The last first: an inner guard's place is free before an outer one lets the next attempt in.
        for (int i = count - 1; i >= 0; i--) {
            guards.get(i).release(tickets[i], ending, latency, now);
        }
    }

    /** What the refused attempt fails with. */
    public ErrorKind refusedWith() {
        Guard by = refusedBy;
        if (by == null) {
            throw new IllegalStateException("nothing was refused");
        }
        return by.kind();
    }

    /** What {@code Retry-After} says to the refused, in whole seconds, at least 1. */
    public int retryAfterSeconds() {
        long nanos = Guard.retryAfter(refusal);
        return (int) Math.max(1, (nanos + 999_999_999L) / 1_000_000_000L);
    }
}
