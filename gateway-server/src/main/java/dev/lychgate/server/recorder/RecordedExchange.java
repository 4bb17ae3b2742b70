package dev.lychgate.server.recorder;

import static java.util.Objects.requireNonNull;

import dev.lychgate.config.IpLiteral;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.Exchange;
import dev.lychgate.exchange.state.AttemptView;
import dev.lychgate.exchange.state.ExchangeRecord;
import dev.lychgate.exchange.state.Half;
import dev.lychgate.exchange.state.Timeline;
import dev.lychgate.exchange.state.TimelinePhase;
import dev.lychgate.exchange.state.TunnelEnd;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.http.RequestHead;
import dev.lychgate.resilience.SentAgain;
import dev.lychgate.route.Route;
import dev.lychgate.tracing.TraceContext;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The complete record of one finished exchange. It refers neither to the exchange nor to its buffers or its generation.
 * Long texts are truncated, and texts are not escaped. Immutable.
 *
 * @param began arrival of the request in microseconds since 1970, by the system clock, which may be set back
 * @param order arrival of the request in nanoseconds of {@link System#nanoTime()}; determines the order of exchanges
 * @param total time from the request head to the last byte of the response, in nanoseconds
 * @param trace the trace to which the exchange belongs; null if there is none
 * @param secure whether the client used TLS
 * @param request the request; null if the bytes received were not HTTP
 * @param error the error; null if there was none
 * @param phases durations of the phases that the exchange reached, in nanoseconds
 * @param calls call-outs of its filters
 * @param injections effects of injected faults, in words
 * @param tunnelEnd the reason why the WebSocket ended; null for other exchanges
 */
public record RecordedExchange(
        Reason reason,
        String id,
        @Nullable TraceContext trace,
        long began,
        long order,
        long total,
        String listener,
        boolean secure,
        String client,
        @Nullable Request request,
        int status,
        @Nullable String route,
        @Nullable Fault error,
        long requestBytes,
        long responseBytes,
        long generation,
        Map<TimelinePhase, Long> phases,
        List<RecordedFilter> filters,
        List<RecordedAttempt> attempts,
        List<RecordedCall> calls,
        List<String> injections,
        @Nullable TunnelEnd tunnelEnd) {
    private static final int LONGEST = 1024;

    /** The request, without its query, which may contain secrets. */
    public record Request(String method, String host, String path, String protocol) {
        static Request of(RequestHead head) {
            return new Request(
                    cut(head.receivedMethod().name()),
                    cut(head.host()),
                    cut(head.rawPath()),
                    head.version().text());
        }
    }

    /** The kind, side and description of an error. */
    public record Fault(String kind, String side, String detail) {}

    /**
     * A filter run of a recorded exchange. Times are nanoseconds from the start of the exchange.
     *
     * @param stage the chain of the filter: {@code global}, {@code route}, {@code endpoint}, {@code fallback},
     *     {@code error} or {@code outbound}
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

    /**
     * One attempt of a recorded exchange. Times are in nanoseconds from the start of the exchange; -1 for events that
     * did not occur.
     *
     * @param again the reason for a further attempt ({@code stale}, {@code retry} or {@code hedge}); null for the first
     *     attempt at its upstream
     * @param connectNanos duration of the connect; -1 if the connection was reused
     * @param status status of the response; 0 if there was none
     * @param failure the label of the error; null if there was none
     * @param span the id of the span of the attempt; 0 if it belongs to no trace
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

    /**
     * A call-out of a filter. Times are nanoseconds from the start of the exchange.
     *
     * @param path without the query
     * @param status status of the response; 0 if there is none
     * @param failure the label of the error, or {@code cancelled}; null if there is a response
     * @param span the id of the span of the call-out; 0 if it belongs to no trace
     */
    public record RecordedCall(
            String upstream,
            String method,
            String path,
            long began,
            long ended,
            int status,
            @Nullable String failure,
            long span,
            List<RecordedAttempt> attempts) {
        static RecordedCall of(ExchangeRecord.Call call, long since) {
            ExchangeRecord record = call.exchange();
            Timeline timeline = record.timeline();
            RequestHead head = requireNonNull(record.requestHead());
            GatewayError error = record.error();
            boolean complete = record.response() == Half.DONE;
            TraceContext trace = record.trace();
            return new RecordedCall(
                    call.upstream(),
                    cut(head.method().name()),
                    cut(head.path()),
                    timeline.began() - since,
                    timeline.began() - since + timeline.total(),
                    complete ? record.status() : 0,
                    error != null ? error.kind().label() : complete ? null : "cancelled",
                    trace == null ? 0 : trace.span(),
                    recorded(timeline, since));
        }
    }

    /**
     * Copies a completed exchange. To be called on the event loop of the exchange.
     *
     * @param now the current time in microseconds since 1970
     */
    static RecordedExchange of(Exchange exchange, Reason reason, long now) {
        ExchangeRecord record = exchange.record();
        Timeline timeline = record.timeline();
        RequestHead head = record.requestHead();
        Route route = record.route();
        GatewayError error = record.error();
        long since = timeline.began();
        List<RecordedFilter> filters = new ArrayList<>();
        timeline.filters((slot, stage, from, to, outcome) -> filters.add(
                new RecordedFilter(slot.name(), stage, from - since, to - since, RecordedFilter.words(outcome))));
        return new RecordedExchange(
                reason,
                record.requestId(),
                record.trace(),
                now - timeline.total() / 1000,
                since,
                timeline.total(),
                record.downstream().listener(),
                record.downstream().tls() != null,
                IpLiteral.text(record.client().getAddress()),
                head == null ? null : Request.of(head),
                record.status(),
                route == null ? null : route.id(),
                error == null ? null : fault(error),
                record.requestBytes(),
                record.responseBytes(),
                record.generation().number(),
                phases(timeline),
                List.copyOf(filters),
                recorded(timeline, since),
                record.calls().stream()
                        .map(call -> RecordedCall.of(call, since))
                        .toList(),
                record.injections().stream()
                        .map(ExchangeRecord.Injection::toString)
                        .toList(),
                record.tunnelEnd());
    }

    private static List<RecordedAttempt> recorded(Timeline timeline, long since) {
        return timeline.attempts().stream()
                .map(attempt -> RecordedAttempt.of(attempt, since))
                .toList();
    }

    private static Fault fault(GatewayError error) {
        return new Fault(error.kind().label(), error.side().label(), cut(error.detail()));
    }

    private static Map<TimelinePhase, Long> phases(Timeline timeline) {
        Map<TimelinePhase, Long> phases = new EnumMap<>(TimelinePhase.class);
        for (TimelinePhase phase : TimelinePhase.all()) {
            long nanos = timeline.in(phase);
            if (nanos >= 0) {
                phases.put(phase, nanos);
            }
        }
        return phases;
    }

    private static String cut(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...";
    }
}
