package dev.lychgate.exchange;

import dev.lychgate.config.OverloadConfig;
import dev.lychgate.config.RouteResilience;

/**
 * Detects overload of the gateway and selects the requests to shed: requests with a priority below the current level.
 * The level is the highest level of these measures:
 *
 * <ul>
 *   <li>Lag of the event loop: level 1 at the threshold, and level 9 at five times the threshold.
 *   <li>Use of direct memory, and use of the heap: level 1 at the threshold, and level 9 if all memory is in use.
 * </ul>
 *
 * <p>A measure below its threshold has level 0. A single late tick indicates a pause rather than overload, so lag
 * counts only if two consecutive ticks are late. The level rises immediately. To prevent oscillation, the level falls
 * by at most one per second, and only if every measure is clearly below the value at which the current level begins.
 *
 * <p>Each event loop has one instance. The loop calls {@link #observe} every 100 ms and {@link #sheds} for every
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
    /** The current level. Requests with a priority below this level are shed; at level 0, no request is shed. */
    int level;

    private long changed;
    private long lastLag;

    LoadShedding(OverloadConfig config) {
        this.lagFrom = config.lag().toNanos();
        this.directFrom = config.directMemory().fraction();
        this.heapFrom = config.heap().fraction();
    }

    /**
     * Updates the level.
     *
     * @param lag the lag of the loop, in nanoseconds
     * @param direct the share of the direct memory that is in use, from 0 to 1
     * @param heap the share of the heap that was in use after the last garbage collection, from 0 to 1
     * @param now the time of the loop's clock, in nanoseconds
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

    /**
     * Returns whether to shed a request.
     *
     * @param priority the priority of the request, from 0 to 9; requests with priority 9 are never shed
     */
    boolean sheds(int priority) {
        return priority < level;
    }
}
