package dev.lychgate.resilience;

import dev.lychgate.config.BulkheadConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.pool.Permits;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * So many at once and no more; nobody waits. Counts attempts of an upstream, or exchanges of a route. A number of N over L
 * loops is N/L for each, rounded up; a number smaller than L is one count that all loops share.
 */
public final class Bulkhead {
    /** Places come free all the time; a second is the shortest that can be said. */
    private static final long SOON = 1_000_000_000L;

    private final Supplier<Permits> places;

    /** @param loops how many event loops there are */
    public Bulkhead(BulkheadConfig config, int loops) {
        this.places = Permits.shares(config.concurrent(), loops);
    }

    /** The guard of one event loop; make one for each loop and keep it. */
    public LoopView forLoop() {
        return new LoopView(places.get());
    }

    /** One loop's part. On that loop only, but for {@link #inUse}. */
    public static final class LoopView implements Guard {
        private final Permits places;
        /** One writer, which needs no fence; whoever looks on needs the value and no more. */
        private final AtomicInteger taken = new AtomicInteger();

        private LoopView(Permits places) {
            this.places = places;
        }

        @Override
        public long tryAcquire(long now) {
            if (!places.tryAcquire()) {
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

        /** How many places are taken. Any thread. */
        public int inUse() {
            return taken.getOpaque();
        }

        @Override
        public ErrorKind kind() {
            return ErrorKind.BULKHEAD_FULL;
        }
    }
}
