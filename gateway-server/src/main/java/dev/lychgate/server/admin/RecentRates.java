package dev.lychgate.server.admin;

import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.Shape;
import org.jspecify.annotations.Nullable;

/**
 * The rates of the last seconds, for routes and endpoints alike.
 *
 * @param failed the failures among {@code all}
 * @param seconds length of the window; 0 if there is none yet
 * @param p50 seconds; NaN if there were none. @param p99 as p50
 */
record RecentRates(long all, long failed, double seconds, double p50, double p99) {
    static final Shape<RecentRates> SHAPE = new Shape<RecentRates>(
                    "RecentRates", "Rates and durations of the last seconds.")
            .number("rate", "Exchanges or attempts per second.", recent -> recent.perSecond(recent.all))
            .number("error_rate", "Failures and statuses 5xx per second.", recent -> recent.perSecond(recent.failed))
            .optional("p50_ms", Json.NUMBER, "Median; missing without any.", recent -> millis(recent.p50))
            .optional("p99_ms", Json.NUMBER, "99th percentile; missing without any.", recent -> millis(recent.p99));

    private double perSecond(long count) {
        return seconds == 0 ? 0 : count / seconds;
    }

    private static @Nullable Double millis(double seconds) {
        return Double.isNaN(seconds) ? null : (Double) (1000 * seconds);
    }
}
