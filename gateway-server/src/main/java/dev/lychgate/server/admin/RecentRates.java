package dev.lychgate.server.admin;

import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.Shape;
import org.jspecify.annotations.Nullable;

/**
 * The rates of the last seconds, for a route or an endpoint.
 *
 * @param all the number of exchanges or attempts in the window
 * @param failed the number of failures among {@code all}
 * @param seconds length of the window; 0 if there is no earlier count to compare with
 * @param p50 median of the duration in seconds; NaN if {@code all} is 0
 * @param p99 99th percentile of the duration in seconds; NaN if {@code all} is 0
 */
record RecentRates(long all, long failed, double seconds, double p50, double p99) {
    static final Shape<RecentRates> SHAPE = new Shape<RecentRates>(
                    "RecentRates", "Rates and durations of the last seconds.")
            .number("rate", "Exchanges or attempts per second.", recent -> recent.perSecond(recent.all))
            .number(
                    "error_rate",
                    "Failures and responses with status 5xx, per second.",
                    recent -> recent.perSecond(recent.failed))
            .optional("p50_ms", Json.NUMBER, "The median duration; missing if rate is 0.", recent -> millis(recent.p50))
            .optional(
                    "p99_ms", Json.NUMBER, "The 99th percentile; missing if rate is 0.", recent -> millis(recent.p99));

    private double perSecond(long count) {
        return seconds == 0 ? 0 : count / seconds;
    }

    private static @Nullable Double millis(double seconds) {
        return Double.isNaN(seconds) ? null : (Double) (1000 * seconds);
    }
}
