package dev.lychgate.server.recorder;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lychgate.exchange.state.TimelinePhase;
import dev.lychgate.server.json.JsonText;
import dev.lychgate.tracing.TraceContext;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Recorded exchanges as JSON, for pages and logs. Times are milliseconds, with microseconds behind the point. */
public final class RecordedJson {
    private RecordedJson() {}

    /** On one line, nothing but ASCII: whatever was sent can't end the line or steer a terminal. */
    public static String line(RecordedExchange exchange) {
        return JsonText.of(json -> write(json, exchange));
    }

    /** Writes one object. */
    public static void write(JsonGenerator json, RecordedExchange exchange) throws IOException {
        json.writeStartObject();
        json.writeStringField("reason", exchange.reason().label());
        json.writeStringField("time", time(exchange.began()));
        json.writeStringField("id", exchange.id());
        TraceContext trace = exchange.trace();
        if (trace != null) {
            json.writeStringField("trace", trace.traceId());
        }
        RecordedExchange.Request request = exchange.request();
        if (request != null) {
            json.writeStringField("method", request.method());
            json.writeStringField("host", request.host());
            json.writeStringField("path", request.path());
            json.writeStringField("protocol", request.protocol());
        }
        json.writeNumberField("status", exchange.status());
        text(json, "route", exchange.route());
        json.writeStringField("listener", exchange.listener());
        json.writeStringField("client", exchange.client());
        json.writeNumberField("generation", exchange.generation());
        json.writeNumberField("request_bytes", exchange.requestBytes());
        json.writeNumberField("response_bytes", exchange.responseBytes());
        RecordedExchange.Fault error = exchange.error();
        if (error != null) {
            json.writeStringField("error", error.kind());
            json.writeStringField("side", error.side());
            json.writeStringField("detail", error.detail());
        }
        if (exchange.tunnelEnd() != null) {
            json.writeStringField("websocket_end", exchange.tunnelEnd().label());
        }
        millis(json, "ms", exchange.total());
        json.writeObjectFieldStart("phases");
        for (Map.Entry<TimelinePhase, Long> phase : exchange.phases().entrySet()) {
            millis(json, phase.getKey().label(), phase.getValue());
        }
        json.writeEndObject();
        json.writeArrayFieldStart("filters");
        for (RecordedFilter filter : exchange.filters()) {
            write(json, filter);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("attempts");
        for (RecordedAttempt attempt : exchange.attempts()) {
            write(json, attempt);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, RecordedFilter filter) throws IOException {
        json.writeStartObject();
        json.writeStringField("filter", filter.name());
        json.writeStringField("stage", filter.stage());
        millis(json, "at", filter.began());
        millis(json, "ms", filter.ended() - filter.began());
        json.writeStringField("outcome", filter.outcome());
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, RecordedAttempt attempt) throws IOException {
        json.writeStartObject();
        json.writeStringField("upstream", attempt.upstream());
        json.writeStringField("endpoint", attempt.endpoint());
        text(json, "again", attempt.again());
        millis(json, "at", attempt.began());
        millis(json, "ms", attempt.ended() - attempt.began());
        if (attempt.connected() >= 0) {
            millis(json, "connection_ms", attempt.connected() - attempt.began());
            json.writeBooleanField("reused", attempt.reused());
        }
        if (attempt.connectNanos() >= 0) {
            millis(json, "connect_ms", attempt.connectNanos());
        }
        if (attempt.answered() >= 0) {
            millis(json, "answered_at", attempt.answered());
            json.writeNumberField("status", attempt.status());
        }
        text(json, "failure", attempt.failure());
        if (attempt.span() != 0) {
            json.writeStringField("span", TraceContext.spanId(attempt.span()));
        }
        json.writeEndObject();
    }

    /** @param micros since 1970 */
    private static String time(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).toString();
    }

    private static void text(JsonGenerator json, String name, @Nullable String value) throws IOException {
        if (value != null) {
            json.writeStringField(name, value);
        }
    }

    private static void millis(JsonGenerator json, String name, long nanos) throws IOException {
        json.writeNumberField(name, Math.round(nanos / 1000.0) / 1000.0);
    }
}
