package dev.lychgate.resilience;

import dev.lychgate.error.ErrorKind;

/**
 * Admission check for attempts: each attempt acquires a permit and reports exactly one ending. A guard belongs to one
 * event loop and is used only on that loop. State that loops share is lock-free.
 *
 * <p>A permit is a <em>ticket</em>, a number of 0 or more. Only the guard that issued a ticket interprets the ticket,
 * and the ending returns the ticket to that guard. A number avoids an object per permit. {@link Admission} keeps the
 * tickets of an attempt and returns each exactly once.
 */
public interface Guard {
    /**
     * Acquires a permit for a request that may use the whole limit.
     *
     * @param now the loop's clock, in nanoseconds
     * @return a ticket (0 or more), or a {@linkplain #refusal refusal} (less than 0)
     */
    default long tryAcquire(long now) {
        return tryAcquire(now, LimitShare.WHOLE);
    }

    /**
     * Acquires a permit.
     *
     * @param now the loop's clock, in nanoseconds
     * @param share the part of the limit that the request may use; a guard that does not limit concurrency ignores it
     * @return as {@link #tryAcquire(long)}
     */
    long tryAcquire(long now, LimitShare share);

    /**
     * Reports the ending. Called exactly once for each ticket.
     *
     * @param ticket returned by {@link #tryAcquire}
     * @param ending outcome of the attempt
     * @param latency from the acquisition to the response head or the failure, in nanoseconds
     * @param now the loop's clock, in nanoseconds
     */
    void release(long ticket, Ending ending, long latency, long now);

    ErrorKind kind();

    /**
     * Encodes a refusal.
     *
     * @param retryAfter delay until a retry is useful, in nanoseconds; 0 or more
     */
    static long refusal(long retryAfter) {
        return -1 - retryAfter;
    }

    /** Returns whether a result of {@link #tryAcquire} is a refusal. */
    static boolean isRefusal(long answer) {
        return answer < 0;
    }

    /** Returns the delay until a retry is useful, in nanoseconds from the refusal. */
    static long retryAfter(long refusal) {
        return -1 - refusal;
    }
}
