package dev.lychgate.filter;

/**
 * A counter that is exposed as {@code lychgate_filter_own_total}. A counter has at most 100 labels. If filters use more
 * labels, each additional label is counted as {@code other}. Thread-safe; no method blocks.
 */
public interface FilterCounter {
    /** Adds 1 without a label. */
    default void increment() {
        add("", 1);
    }

    /**
     * Adds 1 for a label, such as {@code hit}. The label must not come from a request, because clients could then
     * create many labels.
     */
    default void increment(String label) {
        add(label, 1);
    }

    /** Adds {@code count}, at least 0, for a label. */
    void add(String label, long count);

    /** Returns the sum of all labels. */
    long sum();
}
