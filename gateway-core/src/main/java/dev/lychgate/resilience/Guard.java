package dev.lychgate.resilience;

import dev.lychgate.error.ErrorKind;

/**
 * One reason not to try: every guard is asked before an attempt and told exactly once how it ended. Belongs to one event
 * loop and is used on it only; what loops share lies behind it and is free of locks.
 *
 * <p>A guard that lets pass gives a <em>ticket</em>, a number of 0 or more that means something to it alone and comes back
 * with the ending. A number says all that a permit object would, and costs no object. {@link Admission} keeps the tickets
 * of an attempt and sees to it that each comes back once.
 */
public interface Guard {
    /**
     * Asks to pass.
     *
     * @param now the loop's clock, in nanoseconds
     * @return a ticket (0 or more), or a {@linkplain #refusal refusal} (less than 0)
     */
    long tryAcquire(long now);

    /**
     * Says how it ended. Exactly once for each ticket.
     *
     * @param ticket what {@link #tryAcquire} gave
     * @param ending what it says of the origin
     * @param latency from the acquiring to the response head, or to the failure, in nanoseconds
     * @param now the loop's clock, in nanoseconds
     */
    void release(long ticket, Ending ending, long latency, long now);

    /** The error that a refusal of this guard is. */
    ErrorKind kind();

    /** A refusal. @param retryAfter when it is worth asking again, in nanoseconds from now; 0 or more */
    static long refusal(long retryAfter) {
        return -1 - retryAfter;
    }

    /** Whether an answer of {@link #tryAcquire} is a refusal. */
    static boolean isRefusal(long answer) {
        return answer < 0;
    }

    /** When it is worth asking again, in nanoseconds from the refusal. */
    static long retryAfter(long refusal) {
        return -1 - refusal;
    }
}
