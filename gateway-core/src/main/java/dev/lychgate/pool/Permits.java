package dev.lychgate.pool;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A share of a limit that is configured per process, as one event loop sees it. A limit of N over L loops is N/L for each,
 * rounded up, counted without any sharing; a limit smaller than L can't be divided and is one count that all loops share,
 * without locks.
 */
public interface Permits {
    /** Deals out a limit of {@code total} that nobody waits for: the share of one loop at each call, to be asked for once for each. */
    static Supplier<Permits> shares(int total, int loops) {
        SharedPermits shared = new SharedPermits(total);
        return () -> total >= loops ? new LocalPermits(total, loops) : shared.of(Runnable::run);
    }

    /** Takes one, if there is one left. */
    boolean tryAcquire();

    /** Gives one back. */
    void release();

    /**
     * Requests a call, on the caller's own loop, after another loop has released a permit. Permits that are not shared
     * ignore it: the pool itself looks again whenever one of its connections closes.
     */
    default void awaitRelease(Runnable retry) {}

    /**
     * Offers an idle connection, which the caller closes if another loop needs its permit more. Lasts until {@code giveUp}
     * is called, on the caller's own loop.
     *
     * @param giveUp closes an idle connection; returns whether there still was one
     */
    default void offer(BooleanSupplier giveUp) {}

    /** Whether another loop waits for a permit: an idle connection is better closed than kept. */
    default boolean isContended() {
        return false;
    }
}
