package dev.lychgate.exchange;

import dev.lychgate.config.RouteResilience;
import dev.lychgate.config.SheddingConfig;

/**
 * Detects overload of the gateway and selects the requests to shed. Each measure yields a level: 0 below its threshold, 1 at
 * it, 9 at the maximum (five times the lag threshold; all of the memory). The highest level counts, and requests of a lower
 * priority are refused.
 *
 * <p>The level rises at once. It falls by one per second, and only if the measures are clearly below that level, which
 * prevents oscillation. A single late tick is a pause rather than overload: lag counts only if two ticks show it.
 *
 * <p>One instance per event loop. {@link #observe} is called at each tick of the loop (100 ms), {@link #sheds} for every
 * request.
 */
final class LoadShedding {
    private static final int HIGHEST = RouteResilience.HIGHEST_PRIORITY;
    private static final long HOLD = 1_000_000_000L;
    private static final double LAG_MARGIN = 1.25;
    private static final double MEMORY_MARGIN = 0.03;

    private final double lagFrom;
    private final double directFrom;
    private final double heapFrom;
    /** Requests of a lower priority are refused; 0 = none. */
    int level;

    private long changed;
    private long lastLag;

    LoadShedding(SheddingConfig config) {
        this.lagFrom = config.lag().toNanos();
        this.directFrom = config.directMemory().fraction();
        this.heapFrom = config.heap().fraction();
    }

    /**
     * Updates the level.
     *
     * @param lag of the loop, in nanoseconds
     * @param direct share of the direct memory in use, 0 to 1
     * @param heap share of the heap in use after the last collection, 0 to 1
     * @param now the loop's clock, in nanoseconds
     */
    void observe(long lag, double direct, double heap, long now) {
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

    /** Returns whether to refuse a request. @param priority of its route, 0 to 9; 9 is never refused */
    boolean sheds(int priority) {
        return priority < level;
    }
}
