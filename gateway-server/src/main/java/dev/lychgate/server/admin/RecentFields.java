package dev.lychgate.server.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/** Fields of what the last seconds brought, the same for routes and endpoints. */
final class RecentFields {
    private RecentFields() {}

    /**
     * Writes rates per second.
     *
     * @param errors the failed part of {@code all}
     * @param seconds length of the window; 0 if there is none yet
     */
    static void rates(JsonGenerator json, long all, long errors, double seconds) throws IOException {
        json.writeNumberField("rate", seconds == 0 ? 0 : rounded(all / seconds));
        json.writeNumberField("error_rate", seconds == 0 ? 0 : rounded(errors / seconds));
    }

    /** Writes percentiles in milliseconds; NaN is left out. @param p50 seconds @param p99 seconds */
    static void percentiles(JsonGenerator json, double p50, double p99) throws IOException {
        millis(json, "p50_ms", p50);
        millis(json, "p99_ms", p99);
    }

    private static void millis(JsonGenerator json, String name, double seconds) throws IOException {
        if (!Double.isNaN(seconds)) {
            json.writeNumberField(name, rounded(1000 * seconds));
        }
    }

    /** Returns a value with three digits after the point. */
    static double rounded(double value) {
        return Math.round(value * 1000) / 1000.0;
    }
}
