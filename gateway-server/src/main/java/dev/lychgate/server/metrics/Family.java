package dev.lychgate.server.metrics;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All series of a metric.
 *
 * @param name the name in {@code docs/metrics.md}
 * @param help a description in one line
 * @param samples one sample for each combination of labels
 */
public record Family(String name, Kind kind, String help, List<Sample> samples) {
    /** The type of a metric. */
    public enum Kind {
        /** A value that only grows, and starts from zero when the gateway is restarted. */
        COUNTER,
        /** A value that increases and decreases. */
        GAUGE,
        /** A {@link Distribution}, with or without buckets. */
        DISTRIBUTION
    }

    /**
     * One series at one moment.
     *
     * @param labels the labels by name, in the order of the family
     * @param value the value of a counter or gauge; the count of a distribution
     * @param distribution null for counters and gauges
     */
    public record Sample(
            Map<String, String> labels,
            double value,
            @Nullable Distribution distribution) {}
}
