package dev.lychgate.chain;

import dev.lychgate.pool.Permits;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * One place that all event loops share. After each run, it stays closed for as long as the run lasted. Without this
 * pause, a synchronous filter could still occupy all of an event loop, because its runs on one loop never overlap.
 */
final class RestingPlace implements Permits {
    private final LongSupplier clock;
    private final AtomicBoolean taken = new AtomicBoolean();
    /** The times of the run. The holder of the place writes them; {@link #taken} publishes them. */
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
