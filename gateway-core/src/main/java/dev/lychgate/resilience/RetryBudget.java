package dev.lychgate.resilience;

import dev.lychgate.config.RetryBudgetConfig;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What keeps retries from doing to an origin what its clients could not: at most a share of the requests of the last 10 s
 * may be sent again. One for each upstream and process; retries and hedges of all its routes draw on it.
 *
 * <p>The share is counted by each loop for itself: a share of every loop's traffic is a share of the whole, so nothing is shared on
 * the way of an ordinary request. The minimum is not divisible like that (three a second over 64 loops would be next to
 * nothing on the one loop that has the traffic), so it is one count for all loops, and only touched when something has
 * failed on a loop whose own share comes to less.
 */
public final class RetryBudget {
    private static final long WINDOW = 10_000_000_000L;
    private static final long SECOND = 1_000_000_000L;

    private final double share;
    private final int minimum;
    private final LoopView[] views;
    /** When the next of the minimum's retries would be due, had they come evenly; up to a second of them may come at once. */
    private final AtomicLong due = new AtomicLong(Long.MIN_VALUE);

    /** @param loops how many event loops there are */
    public RetryBudget(RetryBudgetConfig config, int loops) {
        this.share = config.share().fraction();
        this.minimum = config.minimum();
        this.views = new LoopView[loops];
        for (int i = 0; i < loops; i++) {
            views[i] = new LoopView();
        }
    }

    /** The budget as one event loop sees it. @param loop the loop's index */
    public LoopView onLoop(int loop) {
        return views[loop];
    }

    /**
     * How many attempts beyond the first it would pay for now, about: what is left of the share on all loops, or of the
     * minimum where that is more. Any thread.
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

    /** One loop's part. On that loop only. */
    public final class LoopView {
        private final RollingWindow window = new RollingWindow(WINDOW);

        /** A request is sent for the first time. */
        public void sent(long now) {
            window.add(1, 0, now);
        }

        /** Takes one more attempt out of the budget, if there is one in it. */
        public boolean tryTake(long now) {
            double allowed = window.all(now) * share;
            boolean within = window.some(now) + 1 <= allowed;
            // The minimum is for those who have little traffic; it does not come on top of the share.
            boolean poor = allowed < minimum * (WINDOW / (double) SECOND);
            if (within || (poor && takeOfMinimum(now))) {
                window.add(0, 1, now);
                return true;
            }
            return false;
        }
    }
}
