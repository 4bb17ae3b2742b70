package dev.lychgate.resilience;

import dev.lychgate.config.LimitConfig;
import dev.lychgate.error.ErrorKind;

/**
 * A limit on concurrent attempts that looks for the number at which the origin is busy and nothing waits, as TCP Vegas does
 * with segments. From the shortest answer known ({@code base}) and the shortest of the last window ({@code seen}) follows
 * how many of the attempts under way wait in a queue: {@code limit × (1 − base / seen)}. The shortest are taken since a
 * queue delays all answers alike, while long ones may be long of their own.
 *
 * <ul>
 *   <li>fewer wait than alpha: there is room, and the limit rises;
 *   <li>between alpha and beta: as it should be;
 *   <li>more than beta: the limit falls by half of what is too much;
 *   <li>more than a tenth of the window failed: it falls by a tenth, however quick the answers were.
 * </ul>
 *
 * <p>A window is as many answers as there may be attempts under way, about one round trip; it says nothing if less than half of
 * the limit was used. What was the shortest once need not be for ever: every {@value #REMEASURE} windows the limit is halved
 * until the queue has emptied, and {@code base} is taken anew from what began after that.
 *
 * <p>One for each event loop, with its part of the configured bounds; loops share nothing.
 *
 * @see <a href="https://doi.org/10.1109/49.464716">Brakmo, Peterson: TCP Vegas, 1995</a>
 */
final class AdaptiveLimit implements Guard {
    private static final int REMEASURE = 100;
    private static final int SMALLEST_WINDOW = 10;
    private static final long SOON = 1_000_000_000L;

    private final double min;
    private final double max;
    private double limit;
    /** The limit for whoever looks on: written once in a window, read by any thread. */
    private volatile int shown;

    int underWay;

    private long base = Long.MAX_VALUE;
    private long seen = Long.MAX_VALUE;
    private int answers;
    private int failures;
    private int peak;
    private int windows;
    /** How often the base has been taken anew; the ticket, which tells what began before from what began after. */
    private long measurement;
    /** The limit to go back to after the base has been taken anew; 0 while that is not being done. */
    private double before;

    public AdaptiveLimit(LimitConfig config, int loops) {
        this.min = Math.max(1, Math.ceil(config.min() / (double) loops));
        this.max = Math.max(min, Math.ceil(config.max() / (double) loops));
        // Too low refuses everybody at start; too high is noticed within a few round trips.
        this.limit = Math.min(max, min * 10);
        this.shown = (int) limit;
    }

    @Override
    public long tryAcquire(long now) {
        if (underWay >= (int) limit) {
            return Guard.refusal(SOON);
        }
        underWay++;
        peak = Math.max(peak, underWay);
        return measurement;
    }

    @Override
    public void release(long ticket, Ending ending, long latency, long now) {
        underWay--;
        if (ending == Ending.IGNORED || (before > 0 && ticket != measurement)) {
            return;
        }
        answers++;
        if (ending.isFailure()) {
            failures++;
        } else {
            // How soon an origin fails says nothing about how long its queue is.
            seen = Math.min(seen, Math.max(1, latency));
        }
        if (answers >= Math.max(SMALLEST_WINDOW, (int) limit)) {
            endWindow();
        }
    }

    private void endWindow() {
        if (before > 0) {
            if (seen != Long.MAX_VALUE) {
                base = seen;
            }
            limit = before;
            before = 0;
        } else {
            base = Math.min(base, seen);
            adapt();
            if (++windows % REMEASURE == 0) {
                before = limit;
                measurement++;
                limit = Math.max(1, limit / 2);
            }
        }
        seen = Long.MAX_VALUE;
        answers = 0;
        failures = 0;
        peak = underWay;
        shown = (int) limit;
    }

    private void adapt() {
        double step = Math.max(1, Math.log10(limit));
        if (failures * 10 > answers) {
            become(limit * 0.9);
        } else if (seen != Long.MAX_VALUE) {
            double waiting = limit * (1 - (double) base / seen);
            double alpha = 3 * step;
            double beta = 6 * step;
            if (waiting > beta) {
                become(limit - Math.max(step, (waiting - beta) / 2));
            } else if (waiting < alpha && peak * 2 >= limit) {
                become(limit + (waiting < step ? beta : step));
            }
        }
    }

    private void become(double wanted) {
        limit = Math.min(max, Math.max(min, wanted));
    }

    @Override
    public ErrorKind kind() {
        return ErrorKind.CONCURRENCY_LIMITED;
    }

    /** How many may be under way on this loop at present. Any thread. */
    public int limit() {
        return shown;
    }
}
