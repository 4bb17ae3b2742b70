package dev.lychgate.pool;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The permits that one event loop has under a limit of the whole process. A limit that is at least the number of loops
 * is divided among the loops and rounded up, without shared state. For a smaller limit, all loops share one lock-free
 * counter.
 */
public interface Permits {
    /**
     * Returns a supplier that the caller uses once per event loop. Each result contains the permits of one loop under
     * the limit {@code total}. A loop cannot {@linkplain #awaitRelease wait} for these permits.
     */
    static Supplier<Permits> shares(int total, int loops) {
        SharedPermits shared = new SharedPermits(total);
        return () -> total >= loops ? new LocalPermits(total, loops) : shared.of(Runnable::run);
    }

    boolean tryAcquire();

    /**
     * Acquires a permit if more than {@code spare} permits are free.
     *
     * @param spare the number of permits that must remain free for other callers; 0 or more
     */
    boolean tryAcquire(int spare);

    /** Returns the total number of permits: of this loop or, if the loops share a counter, of all loops. */
    int total();

    void release();

    /**
     * Requests a call of {@code retry}, on the caller's event loop, after another loop has released a permit. Has no
     * effect if the loops do not share their permits.
     */
    default void awaitRelease(Runnable retry) {}

    /**
     * Offers the permit of an idle connection to other event loops. The offer ends when another loop needs the permit.
     * {@code giveUp} is then called on the caller's loop.
     *
     * @param giveUp closes an idle connection, and returns whether there was one
     */
    default void offer(BooleanSupplier giveUp) {}

    /**
     * Returns whether another event loop waits for a permit. If another event loop waits, the caller should close an
     * idle connection.
     */
    default boolean isContended() {
        return false;
    }
}
