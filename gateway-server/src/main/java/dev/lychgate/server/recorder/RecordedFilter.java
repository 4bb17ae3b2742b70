package dev.lychgate.server.recorder;

import dev.lychgate.filter.FilterOutcome;
import org.jspecify.annotations.Nullable;

/**
 * A filter that has run over a recorded exchange. Times are nanoseconds from the begin of the exchange.
 *
 * @param stage which filters it ran among: {@code global}, {@code route}, {@code endpoint}, {@code fallback}, {@code error} or
 *     {@code outbound}
 * @param outcome {@code proceed}, {@code respond 403}, {@code fail} with an error, or {@code given-up}
 */
public record RecordedFilter(String name, String stage, long began, long ended, String outcome) {
    static String words(@Nullable FilterOutcome outcome) {
        if (outcome == null) {
            return "given-up";
        }
        if (outcome instanceof FilterOutcome.Respond answer) {
            return "respond " + answer.status();
        }
        if (outcome instanceof FilterOutcome.Fail failure) {
            return "fail " + failure.error().kind().label();
        }
        return "proceed";
    }
}
