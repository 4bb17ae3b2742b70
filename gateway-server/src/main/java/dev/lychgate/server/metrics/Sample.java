package dev.lychgate.server.metrics;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One series at one moment.
 *
 * @param labels by name, in the order of the family
 * @param value of a counter or gauge; the count of a distribution
 * @param distribution null for counters and gauges
 */
public record Sample(
        Map<String, String> labels, double value, @Nullable Distribution distribution) {}
