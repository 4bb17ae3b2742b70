package dev.lychgate.resilience;

import dev.lychgate.config.RetryBudgetConfig;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the load that retries add: within the last 10 s, the number of retries and hedges must not exceed a share of
 * the number of requests. A process has one budget per upstream, to which the retries and hedges of all routes are
 * charged.
 *
 * <p>Each event loop applies the share to its own traffic, without shared state. At low traffic, the configured minimum
 * of retries per second applies instead of the share. All loops share one counter for the minimum, because a small
 * number cannot be divided among many loops. A loop uses this counter only for a retry or hedge that exceeds its share.
 */
public final class RetryBudget {
    private static final long WINDOW = 10_000_000_000L;
    private static final long SECOND = 1_000_000_000L;

    private final double share;
    private final int minimum;
    private final LoopView[] views;
    /**
     * The time at which the latest retry that used the minimum would have been due if such retries were evenly spaced.
     * After a second without such retries, all retries of one second may follow at once.
     */
    private final AtomicLong due = new AtomicLong(Long.MIN_VALUE);

    /**
     * Creates a budget to which nothing has been charged.
     *
     * @param loops number of event loops
     */
    public RetryBudget(RetryBudgetConfig config, int loops) {
        this.share = config.share().fraction();
        this.minimum = config.minimum();
        this.views = new LoopView[loops];
        for (int i = 0; i < loops; i++) {
            views[i] = new LoopView();
        }
    }

    /**
     * Returns the view of the budget for one event loop.
     *
     * @param loop the loop's index
     */
    public LoopView onLoop(int loop) {
        return views[loop];
    }

    /**
     * Returns approximately how many retries or hedges are allowed now. The result is the unused part of the share of
     * all loops or the unused part of the minimum, whichever is larger. Thread-safe.
     *
     * @param now the loops' clock, in nanoseconds
     */
    public int left(long now) {
        double ofShare = 0;
        for (LoopView view : views) {
            ofShare += Math.max(0, Math.floor(view.window.all(now) * share - view.window.some(now)));
        }
        return (int) Math.min(Integer.MAX_VALUE, Math.max(ofShare, (double) leftOfMinimum(now)));
    }

    private long leftOfMinimum(long now) {
        if (minimum == 0) {
            return 0;
        }
        long last = due.get();
        long since = last == Long.MIN_VALUE ? SECOND : Math.min(SECOND, now - last);
        return since / (SECOND / minimum);
    }

    private boolean takeOfMinimum(long now) {
        if (minimum == 0) {
            return false;
        }
        while (true) {
            long last = due.get();
            long from = last == Long.MIN_VALUE || last - (now - SECOND) < 0 ? now - SECOND : last;
            long next = from + SECOND / minimum;
            if (next - now > 0) {
                return false;
            }
            if (due.compareAndSet(last, next)) {
                return true;
            }
        }
    }

    /** The part of the budget that one loop uses. Used only on that loop. */
    public final class LoopView {
        private final RollingWindow window = new RollingWindow(WINDOW);

        /** Counts the first attempt of a request. */
        public void sent(long now) {
            window.add(1, 0, now);
        }

        /** Charges one retry or hedge to the budget. Returns false if the budget is exhausted. */
        public boolean tryTake(long now) {
            double allowed = window.all(now) * share;
            boolean within = window.some(now) + 1 <= allowed;
            // The minimum applies at low traffic, when it is larger than the share. It is not added to the share.
            boolean poor = allowed < minimum * (WINDOW / (double) SECOND);
            if (within || (poor && takeOfMinimum(now))) {
                window.add(0, 1, now);
                return true;
            }
            return false;
        }
    }
}
