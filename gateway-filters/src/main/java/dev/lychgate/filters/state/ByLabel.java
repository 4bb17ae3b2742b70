package dev.lychgate.filters.state;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The values of one instrument of a filter, by label. The number of labels is limited; all labels beyond the limit
 * share one value. Thread-safe.
 *
 * @param <V> the type of the value of one label
 */
final class ByLabel<V> {
    /** The maximum number of labels of an instrument. */
    static final int MOST = 100;
    /** The maximum number of characters of a label. */
    static final int LONGEST = 64;

    private static final String OTHER = "other";

    private final Map<String, V> values = new ConcurrentHashMap<>();
    private final Supplier<V> initial;

    /**
     * Creates an instrument without labels.
     *
     * @param initial creates the value of a new label
     */
    ByLabel(Supplier<V> initial) {
        this.initial = initial;
    }

    /**
     * Returns the value of a label. Returns the value of the label {@code other} if {@code label} is too long, or if it
     * is new and the maximum number of labels is reached.
     */
    V of(String label) {
        V known = values.get(label);
        if (known != null) {
            return known;
        }
        String bounded = values.size() >= MOST || label.length() > LONGEST ? OTHER : label;
        return values.computeIfAbsent(bounded, added -> initial.get());
    }

    Iterable<V> all() {
        return values.values();
    }

    /** Returns the values, converted by {@code reading}, in the order of the labels. */
    <R> Map<String, R> sorted(Function<V, R> reading) {
        Map<String, R> all = new TreeMap<>();
        values.forEach((label, value) -> all.put(label, reading.apply(value)));
        return all;
    }
}
