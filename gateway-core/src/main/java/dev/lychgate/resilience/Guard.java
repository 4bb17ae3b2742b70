package dev.lychgate.resilience;

import dev.lychgate.error.ErrorKind;

/**
 * Admits or refuses attempts. Each admitted attempt acquires a permit, and reports exactly one outcome. A guard belongs
 * to one event loop and is used only on this loop. State that event loops share is lock-free.
 *
 * <p>A permit is a <em>ticket</em>: a number of 0 or more, whose meaning is private to the guard that issued it. The
 * report of the outcome returns the ticket to this guard. Numbers avoid an allocation per permit. {@link Admission}
 * keeps the tickets of an attempt, and returns each of them exactly one time.
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
     * Acquires a permit for a request that may use a part of the limit.
     *
     * @param now the loop's clock, in nanoseconds
     * @param share the part of the limit that the request may use; ignored by guards that do not limit concurrency
     * @return a ticket (0 or more), or a {@linkplain #refusal refusal} (less than 0)
     */
    long tryAcquire(long now, LimitShare share);

    /**
     * Returns a ticket and reports the outcome of the attempt. Called exactly one time for each ticket.
     *
     * @param ticket the ticket that {@link #tryAcquire} returned
     * @param ending the outcome of the attempt
     * @param latency the time from the acquisition of the permit to the response head or the failure, in nanoseconds
     * @param now the loop's clock, in nanoseconds
     */
    void release(long ticket, Ending ending, long latency, long now);

    ErrorKind kind();

    /**
     * Encodes a refusal as a result of {@link #tryAcquire}.
     *
     * @param retryAfter the time after which a retry is useful, in nanoseconds; 0 or more
     */
    static long refusal(long retryAfter) {
        return -1 - retryAfter;
    }

    /** Returns whether a result of {@link #tryAcquire} is a refusal. */
    static boolean isRefusal(long answer) {
        return answer < 0;
    }

    /** Returns the time after a refusal until a retry is useful, in nanoseconds. */
    static long retryAfter(long refusal) {
        return -1 - refusal;
    }
}
