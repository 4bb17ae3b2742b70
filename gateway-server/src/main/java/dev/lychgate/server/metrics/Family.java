package dev.lychgate.server.metrics;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All series of one name.
 *
 * @param name the name in {@code docs/metrics.md}
 * @param help a description in one line
 * @param samples one per combination of labels
 */
public record Family(String name, Kind kind, String help, List<Sample> samples) {
    /** The type of a metric. */
    public enum Kind {
        /** Only grows, except when the gateway is restarted. */
        COUNTER,
        /** Goes up and down. */
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
