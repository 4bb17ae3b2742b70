package dev.lychgate.server.fleet;

import dev.lychgate.server.json.JsonObject;
import dev.lychgate.server.terminal.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The traffic of a node in the seconds before its report.
 *
 * @param rate exchanges per second
 * @param errorRate failures of origins and of the gateway per second, including responses with a status of 500 or above
 * @param p50 median of the durations in milliseconds; NaN if there were no exchanges
 * @param p99 99th percentile of the durations in milliseconds; NaN if there were no exchanges
 */
public record NodeTraffic(double rate, double errorRate, double p50, double p99) {
    public static final NodeTraffic NONE = new NodeTraffic(0, 0, Double.NaN, Double.NaN);

    /**
     * The maximum of each figure. A larger figure in a report is reduced to this maximum, because any process that can
     * write to the store can write a report.
     */
    private static final double MOST = 1e9;

    /** Returns the members of the report; a percentile that is NaN is null. */
    public JsonObject json() {
        return new JsonObject()
                .with("rate", rounded(rate))
                .with("error_rate", rounded(errorRate))
                .with("p50_ms", rounded(p50))
                .with("p99_ms", rounded(p99));
    }

    private static @Nullable Double rounded(double figure) {
        return Double.isNaN(figure) ? null : (Double) (Math.round(figure * 100) / 100.0);
    }

    /** Parses the member {@code traffic} of a report. */
    static NodeTraffic parse(JsonValue traffic) {
        return new NodeTraffic(
                figure(traffic, "rate", 0),
                figure(traffic, "error_rate", 0),
                figure(traffic, "p50_ms", Double.NaN),
                figure(traffic, "p99_ms", Double.NaN));
    }

    private static double figure(JsonValue traffic, String name, double missing) {
        return traffic.has(name) ? Math.max(0, Math.min(traffic.number(name), MOST)) : missing;
    }
}
