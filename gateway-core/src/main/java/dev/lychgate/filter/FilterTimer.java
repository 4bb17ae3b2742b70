package dev.lychgate.filter;

import java.time.Duration;

/**
 * Counts and sums durations, which are exposed as {@code lychgate_filter_own_seconds}. Thread-safe; no method blocks.
 */
public interface FilterTimer {
    /** Adds a duration. */
    void record(Duration duration);

    /** Returns the number of durations. */
    long count();
}
