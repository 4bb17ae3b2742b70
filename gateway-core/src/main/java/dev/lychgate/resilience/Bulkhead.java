package dev.lychgate.resilience;

import dev.lychgate.config.BulkheadConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.pool.PermitShares;
import dev.lychgate.pool.Permits;

/**
 * So many at once and no more; nobody waits. Counts attempts of an upstream, or exchanges of a route. A number of N over L
 * loops is N/L for each, rounded up; a number smaller than L is one count that all loops share.
 */
public final class Bulkhead {
    /** Places come free all the time; a second is the shortest that can be said. */
    private static final long SOON = 1_000_000_000L;

    private final PermitShares places;

    /** @param loops how many event loops there are */
    public Bulkhead(BulkheadConfig config, int loops) {
        this.places = new PermitShares(config.concurrent(), loops);
    }

    /** The guard of one event loop; make one for each loop and keep it. */
    public Guard forLoop() {
        return new LoopView(places.forLoop());
    }

    private record LoopView(Permits places) implements Guard {
        @Override
        public long tryAcquire(long now) {
            return places.tryAcquire() ? 0 : Guard.refusal(SOON);
        }

        @Override
        public void release(long ticket, Ending ending, long latency, long now) {
            places.release();
        }

        @Override
        public ErrorKind kind() {
            return ErrorKind.BULKHEAD_FULL;
        }
    }
}
