package dev.lychgate.resilience;

import dev.lychgate.config.BulkheadConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.pool.Permits;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * A fixed limit on the concurrent attempts of an upstream, or on the concurrent exchanges of a route. It has no queue.
 * The places are divided among the event loops and rounded up. If there are fewer places than loops, all loops share
 * one counter.
 */
public final class Bulkhead {
    /**
     * Time, in nanoseconds, after which a rejected client may retry. It is the shortest possible {@code Retry-After},
     * because places are released continually.
     */
    private static final long SOON = 1_000_000_000L;

    private final Supplier<Permits> places;

    /**
     * Creates a bulkhead without places in use.
     *
     * @param loops number of event loops
     */
    public Bulkhead(BulkheadConfig config, int loops) {
        this.places = Permits.shares(config.concurrent(), loops);
    }

    /** Creates the guard of one event loop; call once per loop. */
    public LoopView forLoop() {
        return new LoopView(places.get());
    }

    /**
     * The part of the bulkhead that one event loop uses. Other threads may call {@link #inUse}, but no other method.
     */
    public static final class LoopView implements Guard {
        private final Permits places;
        /** Written by the event loop alone. Needs no fences, because other threads read only this value. */
        private final AtomicInteger taken = new AtomicInteger();

        private LoopView(Permits places) {
            this.places = places;
        }

        @Override
        public long tryAcquire(long now, LimitShare share) {
            int total = places.total();
            if (!places.tryAcquire(total - share.places(total))) {
                return Guard.refusal(SOON);
            }
            taken.setOpaque(taken.getPlain() + 1);
            return 0;
        }

        @Override
        public void release(long ticket, Ending ending, long latency, long now) {
            taken.setOpaque(taken.getPlain() - 1);
            places.release();
        }

        /** Returns the number of places in use. Thread-safe. */
        public int inUse() {
            return taken.getOpaque();
        }

        @Override
        public ErrorKind kind() {
            return ErrorKind.BULKHEAD_FULL;
        }
    }
}
