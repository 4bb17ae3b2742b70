package dev.lychgate.gateway;

import dev.lychgate.config.StallConfig;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Measures how long one event loop has stalled, from a counter that changes while the loop makes progress. Each check
 * adds at most {@link #LONGEST_LOOK} to the stall, because a late check means that the whole process was paused. One
 * thread calls all methods except {@link #now()}, which is thread-safe.
 */
final class LoopProgress {
    /** Interval between checks, in nanoseconds. */
    static final long LOOK = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long LONGEST_LOOK = 3 * LOOK;
    private static final long[] LINES = {1, 10, 60};

    private long sweeps;
    private long lookedAt;
    private long still;
    private int lines;
    private volatile Progress progress = Progress.MOVING;

    LoopProgress(long sweeps, long now) {
        this.sweeps = sweeps;
        this.lookedAt = now;
    }

    /**
     * Checks whether the event loop has made progress since the last check.
     *
     * @param sweepsNow the current value of the loop's counter
     * @param now the current time, in nanoseconds
     * @return the state of the loop
     */
    Progress look(long sweepsNow, long now, StallConfig limits) {
        if (sweepsNow != sweeps) {
            sweeps = sweepsNow;
            still = 0;
            lines = 0;
        } else {
            still += Math.min(now - lookedAt, LONGEST_LOOK);
        }
        lookedAt = now;
        progress = judge(limits);
        return progress;
    }

    private Progress judge(StallConfig limits) {
        if (still < limits.after().toNanos()) {
            return Progress.MOVING;
        }
        if (still < limits.notReady().toNanos()) {
            return Progress.STALLED;
        }
        return limits.exit().isZero() || still < limits.exit().toNanos() ? Progress.NOT_READY : Progress.GIVEN_UP;
    }

    /** Returns the state at the last check. Thread-safe. */
    Progress now() {
        return progress;
    }

    /** Returns the duration of the stall at the last check; zero if the loop made progress. */
    Duration still() {
        return Duration.ofNanos(still);
    }

    /**
     * Returns whether a log line is due. Lines are due when the stall has lasted for 1, 10 and 60 seconds, and then
     * every 60 seconds. Returns true once for each due line.
     */
    boolean isLineDue() {
        long due = lines < LINES.length ? LINES[lines] : (lines - LINES.length + 2) * LINES[LINES.length - 1];
        if (still < TimeUnit.SECONDS.toNanos(due)) {
            return false;
        }
        lines++;
        return true;
    }
}
