package dev.lychgate.server.registries;

import dev.lychgate.server.metrics.Distribution;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The state of a distribution at several earlier times (marks), from which recent values are computed. For one thread.
 */
final class RecentCounts {
    private final int marks;
    private final Deque<Distribution> earlier = new ArrayDeque<>();

    /** @param marks number of marks that are kept */
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
     * Returns the values that were added since the oldest mark. The first mark is the beginning of the distribution.
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
