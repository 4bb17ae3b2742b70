package dev.lychgate.filter;

import java.time.Duration;

/**
 * Counts and sums durations, which are exposed as {@code lychgate_filter_own_seconds}. A timer has at most 100 labels.
 * If filters use more labels, each additional label is recorded as {@code other}. Thread-safe; no method blocks.
 */
public interface FilterTimer {
    /** Adds a duration without a label. */
    default void record(Duration duration) {
        record("", duration);
    }

    /**
     * Adds a duration for a label, such as {@code hit}. The label must not come from a request, because clients could
     * then create many labels.
     */
    void record(String label, Duration duration);

    /** Returns the number of durations of all labels. */
    long count();
}
