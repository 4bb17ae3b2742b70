package dev.lychgate.chain;

import dev.lychgate.pool.Permits;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * One permit that all event loops share. After each run, the permit stays unavailable for as long as the run lasted. On
 * one event loop, the runs of a synchronous filter never overlap, so only the pause prevents the filter from occupying
 * the loop completely.
 */
final class RestingPlace implements Permits {
    private final LongSupplier clock;
    private final AtomicBoolean taken = new AtomicBoolean();
    /**
     * The start of the latest run, and the end of the pause after it. The holder of the permit writes both;
     * {@link #taken} publishes them.
     */
    private long begin;

    private long rested;

    /**
     * Creates an available permit.
     *
     * @param clock returns the current time, in nanoseconds
     */
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
    public boolean tryAcquire(int spare) {
        return spare == 0 && tryAcquire();
    }

    @Override
    public int total() {
        return 1;
    }

    @Override
    public void release() {
        long now = clock.getAsLong();
        rested = now + (now - begin);
        taken.set(false);
    }
}
