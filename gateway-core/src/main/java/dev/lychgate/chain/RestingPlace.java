package dev.lychgate.chain;

import dev.lychgate.pool.Permits;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * One place for all event loops. After each run, it stays closed for as long as the run lasted: a synchronous filter never
 * overlaps itself on one event loop, and would otherwise still occupy all of it.
 */
final class RestingPlace implements Permits {
    private final LongSupplier clock;
    private final AtomicBoolean taken = new AtomicBoolean();
    /** Written by the holder of the place; {@link #taken} publishes them. */
    private long begin;

    private long rested;

    /** @param clock nanoseconds */
    RestingPlace(LongSupplier clock) {
        this.clock = clock;
        this.rested = clock.getAsLong();
    }

    @Override
    public boolean tryAcquire() {
        if (!taken.compareAndSet(false, true)) {
            return false;
        }
        long now = clock.getAsLong();
        if (now - rested < 0) {
            taken.set(false);
            return false;
        }
        begin = now;
        return true;
    }

    @Override
    public void release() {
        long now = clock.getAsLong();
        rested = now + (now - begin);
        taken.set(false);
    }
}
