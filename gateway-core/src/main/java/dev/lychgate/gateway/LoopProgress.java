package dev.lychgate.gateway;

import dev.lychgate.config.StallConfig;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Measures how long one event loop has stalled, from a number that changes while it makes progress. Each check counts for at
 * most {@link #LONGEST_LOOK}: late checks mean that the whole process was paused, not the loop. Used by one thread, except
 * for {@link #now()}.
 */
final class LoopProgress {
    /** Interval between checks. */
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

    /** Checks the loop. @return its state @param now the current time, in nanoseconds */
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

    /** Returns the state at the last check. Any thread. */
    Progress now() {
        return progress;
    }

    /** Returns how long the loop had stalled at the last check. */
    Duration still() {
        return Duration.ofNanos(still);
    }

    /** Returns whether a log line is due: after 1, 10 and 60 seconds, then every 60 seconds. True once for each of them. */
    boolean isLineDue() {
        long due = lines < LINES.length ? LINES[lines] : (lines - LINES.length + 2) * LINES[LINES.length - 1];
        if (still < TimeUnit.SECONDS.toNanos(due)) {
            return false;
        }
        lines++;
        return true;
    }
}
