package dev.lychgate.server.recorder;

import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.state.AttemptView;
import dev.lychgate.resilience.SentAgain;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One try of a recorded exchange. Times are nanoseconds from the begin of the exchange, -1 where it did not come so far.
 *
 * @param again what it repeats ({@code stale}, {@code retry} or {@code hedge}); null for the first one of its upstream
 * @param connectNanos how long its connection took to open; -1 if that was done before
 * @param status of its answer; 0 if none came
 * @param failure the label of what went wrong; null if nothing did
 * @param span the id of its span; 0 if it is in no trace
 */
public record RecordedAttempt(
        String upstream,
        String endpoint,
        @Nullable String again,
        long began,
        long connected,
        long connectNanos,
        boolean reused,
        long answered,
        int status,
        long ended,
        @Nullable String failure,
        long span) {
    static RecordedAttempt of(AttemptView attempt, long since) {
        SentAgain again = attempt.again();
        GatewayError failure = attempt.failure();
        return new RecordedAttempt(
                attempt.upstream(),
                attempt.endpoint().authority(),
                again == null ? null : again.name().toLowerCase(Locale.ROOT),
                attempt.began() - since,
                after(since, attempt.connectedAt()),
                attempt.connectNanos(),
                attempt.isReused(),
                after(since, attempt.answeredAt()),
                attempt.status(),
                after(since, attempt.endedAt()),
                failure == null ? null : failure.kind().label(),
                attempt.span());
    }

    private static long after(long since, long time) {
        return time == 0 ? -1 : time - since;
    }
}
