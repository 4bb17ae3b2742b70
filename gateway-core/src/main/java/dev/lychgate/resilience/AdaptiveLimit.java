package dev.lychgate.resilience;

import dev.lychgate.config.LimitConfig;
import dev.lychgate.error.ErrorKind;

/**
 * An adaptive limit on concurrent attempts. Like TCP Vegas, it searches for the concurrency at which the origin is busy
 * but has no queue. It compares two latencies: {@code base} is the lowest known latency, and {@code seen} is the lowest
 * latency of the last window. The difference between them is the time in the origin's queue. The estimated number of
 * queued attempts is therefore the current limit, multiplied by {@code 1 − base / seen}. The lowest latencies are used,
 * because a queue delays all responses, while single responses may be slow for other reasons.
 *
 * <p>At the end of a window, the limit changes as follows. {@code alpha} and {@code beta} are thresholds for the
 * estimated number of queued attempts.
 *
 * <ul>
 *   <li>Fewer than {@code alpha}: the limit rises, provided that at least half of it was used.
 *   <li>Between {@code alpha} and {@code beta}: the limit stays.
 *   <li>More than {@code beta}: the limit falls by half of the excess.
 *   <li>More than a tenth of the attempts of the window failed: the limit falls by a tenth, whatever the latency is.
 * </ul>
 *
 * <p>A window ends when the number of responses has reached the limit, which takes about one round trip. Because {@code
 * base} may become outdated, it is measured again every {@value #REMEASURE} windows. During this measurement, the limit
 * is halved, so that the queue becomes empty. Only attempts that begin during the measurement count. The halving does
 * not apply to requests with the highest priority.
 *
 * <p>Each event loop has its own instance, with its part of the configured minimum and maximum.
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
    /** The current limit for observers. It is written at the end of each window, and any thread may read it. */
    private volatile int shown;

    int underWay;

    private long base = Long.MAX_VALUE;
    private long seen = Long.MAX_VALUE;
    private int answers;
    private int failures;
    private int peak;
    private int windows;
    /**
     * The number of measurements of {@code base} so far. It is the ticket of an attempt, and shows whether the attempt
     * began before or during a measurement.
     */
    private long measurement;
    /** The limit to restore after the measurement of {@code base}; 0 if no measurement is in progress. */
    private double before;

    public AdaptiveLimit(LimitConfig config, int loops) {
        this.min = Math.max(1, Math.ceil(config.min() / (double) loops));
        this.max = Math.max(min, Math.ceil(config.max() / (double) loops));
        // The initial limit is high. A low initial limit would refuse requests at the start, but a limit that is too
        // high is corrected within a few round trips.
        this.limit = Math.min(max, min * 10);
        this.shown = (int) limit;
    }

    @Override
    public long tryAcquire(long now, LimitShare share) {
        // The full limit applies to requests with the highest priority. These are few, so the queue becomes empty
        // nevertheless.
        double current = share.isHighest() ? Math.max(limit, before) : limit;
        if (underWay >= share.places((int) current)) {
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
            // The latency of a failure does not reflect the length of the origin's queue.
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

    /** Returns the current limit on concurrent attempts of this loop. Thread-safe. */
    public int limit() {
        return shown;
    }
}
