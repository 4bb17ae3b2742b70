package dev.lychgate.server.registries;

import dev.lychgate.server.metrics.Distribution;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Computes the recent values of a distribution. For this purpose, it keeps the states of the distribution at several
 * earlier times, which are called marks. Not thread-safe.
 */
final class RecentCounts {
    private final int marks;
    private final Deque<Distribution> earlier = new ArrayDeque<>();

    /** @param marks the number of marks to keep */
    RecentCounts(int marks) {
        this.marks = marks;
        earlier.addLast(Distribution.EMPTY);
    }

    /** Returns the percentiles of {@link #since} by name, such as {@code p50}. */
    Map<String, Double> percentiles(Distribution now) {
        Distribution lately = since(now);
        Map<String, Double> percentiles = new LinkedHashMap<>();
        percentiles.put("p50", lately.percentile(0.5));
        percentiles.put("p95", lately.percentile(0.95));
        percentiles.put("p99", lately.percentile(0.99));
        return percentiles;
    }

    /**
     * Returns the distribution of the values since the oldest mark. Initially, the only mark is the empty distribution.
     */
    Distribution since(Distribution now) {
        return now.since(earlier.getFirst());
    }

    void mark(Distribution now) {
        if (earlier.size() == marks) {
            earlier.removeFirst();
        }
        earlier.addLast(now);
    }
}
