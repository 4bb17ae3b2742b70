package dev.lychgate.filters.state;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The values of one instrument by label. The number of labels is bounded; further labels share one value. Thread-safe.
 *
 * @param <V> the type of the value of one label
 */
final class ByLabel<V> {
    /** Maximum number of labels of an instrument. */
    static final int MOST = 100;
    /** Maximum number of characters of a label. */
    static final int LONGEST = 64;

    private static final String OTHER = "other";

    private final Map<String, V> values = new ConcurrentHashMap<>();
    private final Supplier<V> initial;

    /** @param initial creates the value of a new label */
    ByLabel(Supplier<V> initial) {
        this.initial = initial;
    }

    /** Returns the value of a label, or the value of {@code other} if the label is too long or one too many. */
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

    /** Returns the values in the order of the labels, converted by {@code reading}. */
    <R> Map<String, R> sorted(Function<V, R> reading) {
        Map<String, R> all = new TreeMap<>();
        values.forEach((label, value) -> all.put(label, reading.apply(value)));
        return all;
    }
}
