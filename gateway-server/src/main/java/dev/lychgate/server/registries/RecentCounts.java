package dev.lychgate.server.registries;

import dev.lychgate.server.metrics.Distribution;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;

/** A distribution as it was some marks ago: what has come since is recent. For one thread. */
final class RecentCounts {
    private final int marks;
    private final Deque<Distribution> earlier = new ArrayDeque<>();

    /** @param marks how many are looked back */
    RecentCounts(int marks) {
        this.marks = marks;
        earlier.addLast(Distribution.EMPTY);
    }

    /** The percentiles of {@link #since}, by their names: {@code p50}. */
    Map<String, Double> percentiles(Distribution now) {
        Distribution lately = since(now);
        Map<String, Double> percentiles = new LinkedHashMap<>();
        percentiles.put("p50", lately.percentile(0.5));
        percentiles.put("p95", lately.percentile(0.95));
        percentiles.put("p99", lately.percentile(0.99));
        return percentiles;
    }

    /** What has come since the oldest of the marks; the first of them is the beginning. */
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
