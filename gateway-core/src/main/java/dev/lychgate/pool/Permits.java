package dev.lychgate.pool;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * One event loop's share of a limit per process. With L loops and a limit of N, each loop has N/L permits, rounded up,
 * without shared state. A limit below L cannot be divided; in that case all loops share one lock-free counter.
 */
public interface Permits {
    /**
     * Returns a supplier that is called once per loop and returns the loop's share of {@code total}. Loops cannot wait
     * for these permits.
     */
    static Supplier<Permits> shares(int total, int loops) {
        SharedPermits shared = new SharedPermits(total);
        return () -> total >= loops ? new LocalPermits(total, loops) : shared.of(Runnable::run);
    }

    boolean tryAcquire();

    /**
     * Acquires a permit if more than {@code spare} permits are free.
     *
     * @param spare the number of permits that the caller must leave to others; 0 or more
     */
    boolean tryAcquire(int spare);

    /** Returns the number of all permits, of the loop or of all loops that share them. */
    int total();

    void release();

    /**
     * Requests a call of {@code retry} on the caller's own loop after another loop has released a permit. Permits that
     * belong to one loop ignore the request, because the pool checks its queue whenever one of its connections closes.
     */
    default void awaitRelease(Runnable retry) {}

    /**
     * Offers an idle connection, which the caller closes if another loop needs its permit. The offer ends when
     * {@code giveUp} is called, on the caller's own loop.
     *
     * @param giveUp closes an idle connection, and returns whether there was one
     */
    default void offer(BooleanSupplier giveUp) {}

    /** Returns whether another loop waits for a permit, so that the caller should close an idle connection. */
    default boolean isContended() {
        return false;
    }
}
