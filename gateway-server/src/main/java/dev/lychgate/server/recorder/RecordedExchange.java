package dev.lychgate.server.recorder;

import dev.lychgate.config.IpLiteral;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.Exchange;
import dev.lychgate.exchange.state.ExchangeRecord;
import dev.lychgate.exchange.state.Timeline;
import dev.lychgate.exchange.state.TimelinePhase;
import dev.lychgate.exchange.state.TunnelEnd;
import dev.lychgate.http.RequestHead;
import dev.lychgate.route.Route;
import dev.lychgate.tracing.TraceContext;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The whole story of one exchange that is over: values alone, nothing that keeps the exchange, its buffers or its generation
 * alive. Texts are as they came, long ones cut, not yet safe to write. Immutable.
 *
 * @param began when its request came, in microseconds since 1970; by the wall clock, which may be set back
 * @param order when its request came, in nanoseconds of {@link System#nanoTime()}: exchanges are ordered by it
 * @param total from the request's head to the last byte of the answer, in nanoseconds
 * @param trace what it is in a distributed trace; null if it is in none
 * @param secure whether the client spoke TLS
 * @param request what was asked; null if what came was not HTTP
 * @param error what went wrong; null if nothing did
 * @param phases where the time went, in nanoseconds, of those phases that it came to
 * @param tunnelEnd why it ended, if it was a WebSocket
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
        @Nullable TunnelEnd tunnelEnd) {
    private static final int LONGEST = 1024;

    /** What was asked. The query is left out: it is where secrets are. */
    public record Request(String method, String host, String path, String protocol) {
        static Request of(RequestHead head) {
            return new Request(
                    cut(head.receivedMethod().name()),
                    cut(head.host()),
                    cut(head.rawPath()),
                    head.version().text());
        }
    }

    /** What went wrong, on whose side, and in words. */
    public record Fault(String kind, String side, String detail) {}

    /** Copies what an exchange that is over has to tell; on its event loop. @param now microseconds since 1970 */
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
                timeline.attempts().stream()
                        .map(attempt -> RecordedAttempt.of(attempt, since))
                        .toList(),
                record.tunnelEnd());
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
