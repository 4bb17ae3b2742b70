package dev.lychgate.resilience;

import dev.lychgate.config.BulkheadConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.pool.Permits;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Fixed limit on concurrent attempts of an upstream or concurrent exchanges of a route, without a queue. With L loops,
 * each loop has 1/L of the places, rounded up. A limit smaller than L is one counter that all loops share.
 */
public final class Bulkhead {
    /**
     * Places are released continually, so a rejected client may retry soon: after one second, the shortest possible
     * {@code Retry-After}.
     */
    private static final long SOON = 1_000_000_000L;

    private final Supplier<Permits> places;

    /** @param loops number of event loops */
    public Bulkhead(BulkheadConfig config, int loops) {
        this.places = Permits.shares(config.concurrent(), loops);
    }

    /** Creates the guard of one event loop; call once per loop. */
    public LoopView forLoop() {
        return new LoopView(places.get());
    }

    /** The part of the bulkhead that one loop uses. Only {@link #inUse} may be called from other threads. */
    public static final class LoopView implements Guard {
        private final Permits places;
        /** Only the loop writes this counter, so no fence is needed; observers need only the value. */
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
