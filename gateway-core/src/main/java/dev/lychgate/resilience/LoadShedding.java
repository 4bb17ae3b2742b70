package dev.lychgate.resilience;

import dev.lychgate.config.RouteResilience;
import dev.lychgate.config.SheddingConfig;

/**
 * Whether the gateway itself has too much to do, and whose requests it refuses then. Each measure gives a level: 0 below its
 * threshold, 1 at it, 9 where it can't go on (five times the lag; all of the memory). The highest counts, and requests of a
 * priority below it are refused.
 *
 * <p>The level rises at once and falls by one a second, and only when the measures are clearly below what led to it, so
 * that it does not flutter. One late look at the clock is no overload but a pause: the lag counts when it is seen twice.
 *
 * <p>One for each event loop. {@link #observe} is called as often as the loop looks at its clock (100 ms); {@link #sheds} for
 * every request.
 */
public final class LoadShedding {
    private static final int HIGHEST = RouteResilience.HIGHEST_PRIORITY;
    private static final long HOLD = 1_000_000_000L;
    private static final double LAG_MARGIN = 1.25;
    private static final double MEMORY_MARGIN = 0.03;

    private final double lagFrom;
    private final double directFrom;
    private final double heapFrom;
    /** Requests of a lower priority are refused; 0 = nobody's. */
    int level;

    private long changed;
    private long lastLag;

    public LoadShedding(SheddingConfig config) {
        this.lagFrom = config.lag().toNanos();
        this.directFrom = config.directMemory().fraction();
        this.heapFrom = config.heap().fraction();
    }

    /**
     * How it stands.
     *
     * @param lag how late the loop is, in nanoseconds
     * @param direct share of the direct memory in use, 0 to 1
     * @param heap share of the heap in use after the last collection, 0 to 1
     * @param now the loop's clock, in nanoseconds
     */
    public void observe(long lag, double direct, double heap, long now) {
        long lasting = Math.min(lag, lastLag);
        lastLag = lag;
        int measured = highest((double) lasting, direct, heap);
        if (measured > level) {
            level = measured;
            changed = now;
        } else if (level > 0
                && now - changed >= HOLD
                && highest((double) lasting * LAG_MARGIN, direct + MEMORY_MARGIN, heap + MEMORY_MARGIN) < level) {
            level--;
            changed = now;
        }
    }

    private int highest(double lag, double direct, double heap) {
        return Math.max(
                level(lag, lagFrom, 5 * lagFrom), Math.max(level(direct, directFrom, 1), level(heap, heapFrom, 1)));
    }

    private static int level(double measured, double from, double to) {
        if (measured < from) {
            return 0;
        }
        return 1 + (int) Math.min(HIGHEST - 1, (HIGHEST - 1) * (measured - from) / (to - from));
    }

    /** Whether a request is to be refused. @param priority of its route, 0 to 9; 9 never is */
    public boolean sheds(int priority) {
        return priority < level;
    }
}
