package dev.lychgate.pool;

import java.util.function.BooleanSupplier;

/**
 * A share of a limit that is configured per process. A limit of N over L loops is N/L for each, rounded up, counted
 * without any sharing ({@link LocalPermits}); a limit smaller than L can't be divided and is one count that all loops
 * share ({@link SharedPermits}).
 */
interface Permits {
    /** Takes one, if there is one left. */
    boolean tryAcquire();

    /** Gives one back. */
    void release();

    /**
     * Asks to be called, on the caller's own loop, after another loop has given one back. Permits that are not shared
     * have nobody to wait for.
     */
    void awaitRelease(Runnable retry);

    /**
     * Says that the caller keeps an idle connection, which it could close if another loop needs its permit more. Lasts
     * until {@code giveUp} is called, on the caller's own loop.
     *
     * @param giveUp closes an idle connection; says whether there still was one
     */
    void offer(BooleanSupplier giveUp);

    /** Whether another loop waits for one: an idle connection had better be closed than kept. */
    boolean isContended();
}
