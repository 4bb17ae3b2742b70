package dev.lychgate.pool;

import java.util.function.BooleanSupplier;

/** Permits that can be waited for, and be given up to a loop that needs them more. */
interface AwaitedPermits extends Permits {
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
