package dev.lychgate.server.recorder;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lychgate.server.json.JsonObject;
import dev.lychgate.server.json.JsonText;
import dev.lychgate.tracing.TraceContext;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Recorded exchanges as JSON, for pages and logs. Times are milliseconds, with microseconds behind the point. */
public final class RecordedJson {
    private RecordedJson() {}

    /** On one line, nothing but ASCII: whatever was sent can't end the line or steer a terminal. */
    public static String line(RecordedExchange exchange) {
        return JsonText.of(of(exchange));
    }

    /** Writes one object. */
    public static void write(JsonGenerator json, RecordedExchange exchange) throws IOException {
        of(exchange).write(json);
    }

    private static JsonObject of(RecordedExchange exchange) {
        TraceContext trace = exchange.trace();
        JsonObject json = new JsonObject()
                .with("reason", exchange.reason().label())
                .with(
                        "time",
                        Instant.EPOCH.plus(exchange.began(), ChronoUnit.MICROS).toString())
                .with("id", exchange.id())
                .with("trace", trace == null ? null : trace.traceId());
        RecordedExchange.Request request = exchange.request();
        if (request != null) {
            json.with("method", request.method())
                    .with("host", request.host())
                    .with("path", request.path())
                    .with("protocol", request.protocol());
        }
        json.with("status", exchange.status())
                .with("route", exchange.route())
                .with("listener", exchange.listener())
                .with("client", exchange.client())
                .with("generation", exchange.generation())
                .with("request_bytes", exchange.requestBytes())
                .with("response_bytes", exchange.responseBytes());
        RecordedExchange.Fault error = exchange.error();
        if (error != null) {
            json.with("error", error.kind()).with("side", error.side()).with("detail", error.detail());
        }
        JsonObject phases = new JsonObject();
        exchange.phases().forEach((phase, nanos) -> phases.with(phase.label(), millis(nanos)));
        return json.with(
                        "websocket_end",
                        exchange.tunnelEnd() == null
                                ? null
                                : exchange.tunnelEnd().label())
                .with("ms", millis(exchange.total()))
                .with("phases", phases)
                .with(
                        "filters",
                        exchange.filters().stream().map(RecordedJson::of).toList())
                .with(
                        "attempts",
                        exchange.attempts().stream().map(RecordedJson::of).toList());
    }

    private static JsonObject of(RecordedFilter filter) {
        return new JsonObject()
                .with("filter", filter.name())
                .with("stage", filter.stage())
                .with("at", millis(filter.began()))
                .with("ms", millis(filter.ended() - filter.began()))
                .with("outcome", filter.outcome());
    }

    private static JsonObject of(RecordedAttempt attempt) {
        JsonObject json = new JsonObject()
                .with("upstream", attempt.upstream())
                .with("endpoint", attempt.endpoint())
                .with("again", attempt.again())
                .with("at", millis(attempt.began()))
                .with("ms", millis(attempt.ended() - attempt.began()));
        if (attempt.connected() >= 0) {
            json.with("connection_ms", millis(attempt.connected() - attempt.began()))
                    .with("reused", attempt.reused());
        }
        if (attempt.connectNanos() >= 0) {
            json.with("connect_ms", millis(attempt.connectNanos()));
        }
        if (attempt.answered() >= 0) {
            json.with("answered_at", millis(attempt.answered())).with("status", attempt.status());
        }
        return json.with("failure", attempt.failure())
                .with("span", attempt.span() == 0 ? null : TraceContext.spanId(attempt.span()));
    }

    private static double millis(long nanos) {
        return Math.round(nanos / 1000.0) / 1000.0;
    }
}
