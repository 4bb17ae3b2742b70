package dev.lychgate.server.recorder;

import dev.lychgate.exchange.state.TunnelEnd;
import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.JsonText;
import dev.lychgate.server.json.JsonType;
import dev.lychgate.server.json.Shape;
import dev.lychgate.server.recorder.RecordedExchange.RecordedAttempt;
import dev.lychgate.server.recorder.RecordedExchange.RecordedCall;
import dev.lychgate.server.recorder.RecordedExchange.RecordedFilter;
import dev.lychgate.tracing.TraceContext;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Recorded exchanges as JSON, for pages and logs. Times are milliseconds with three decimal places. */
public final class RecordedJson {
    public static final JsonType<Reason> REASON = Json.words(Reason.values(), Reason::label);

    private static final JsonType<TunnelEnd> END = Json.words(TunnelEnd.values(), TunnelEnd::label);

    private static final Shape<RecordedExchange.Request> REQUEST = new Shape<RecordedExchange.Request>(
                    "RecordedRequest")
            .text("method", "The method as received.", RecordedExchange.Request::method)
            .text("host", "The requested host.", RecordedExchange.Request::host)
            .text("path", "The path as received.", RecordedExchange.Request::path)
            .text("protocol", "The version of HTTP.", RecordedExchange.Request::protocol);

    private static final Shape<RecordedExchange.Fault> FAULT = new Shape<RecordedExchange.Fault>("RecordedFault")
            .text("error", "The label of the error.", RecordedExchange.Fault::kind)
            .text("side", "Where the error occurred: downstream, upstream or local.", RecordedExchange.Fault::side)
            .text("detail", "The error in words.", RecordedExchange.Fault::detail);

    private static final Shape<RecordedFilter> FILTER = new Shape<RecordedFilter>("RecordedFilter")
            .text("filter", "The name of the filter.", RecordedFilter::name)
            .text("stage", "The phase of the filter.", RecordedFilter::stage)
            .number("at", "When the filter began.", filter -> millis(filter.began()))
            .number("ms", "How long the filter ran.", filter -> millis(filter.ended() - filter.began()))
            .text("outcome", "The outcome: proceed, respond, fail or given-up.", RecordedFilter::outcome);

    private static final Shape<RecordedAttempt> CONNECTED = new Shape<RecordedAttempt>("")
            .number(
                    "connection_ms",
                    "How long the attempt waited for the connection.",
                    a -> millis(a.connected() - a.began()))
            .flag("reused", "Whether the connection was used before.", RecordedAttempt::reused);

    private static final Shape<RecordedAttempt> ANSWERED = new Shape<RecordedAttempt>("")
            .number("answered_at", "When the head of the response arrived.", a -> millis(a.answered()))
            .integer("status", "The status of the response.", RecordedAttempt::status);

    private static final Shape<RecordedAttempt> ATTEMPT = new Shape<RecordedAttempt>("RecordedAttempt")
            .text("upstream", "The name of the upstream.", RecordedAttempt::upstream)
            .text("endpoint", "Host and port.", RecordedAttempt::endpoint)
            .optionalText(
                    "again", "Why the attempt follows another attempt: stale, retry or hedge.", RecordedAttempt::again)
            .number("at", "When the attempt began.", a -> millis(a.began()))
            .number("ms", "How long the attempt took.", a -> millis(a.ended() - a.began()))
            .includeOptional(CONNECTED, a -> a.connected() < 0 ? null : a)
            .optional("connect_ms", Json.NUMBER, "How long the connection took to open.", RecordedJson::connect)
            .includeOptional(ANSWERED, a -> a.answered() < 0 ? null : a)
            .optionalText("failure", "The label of the error.", RecordedAttempt::failure)
            .optionalText("span", "The id of the span.", a -> a.span() == 0 ? null : TraceContext.spanId(a.span()));

    private static final Shape<RecordedCall> CALL = new Shape<RecordedCall>("RecordedCall")
            .text("upstream", "The name of the upstream.", RecordedCall::upstream)
            .text("method", "The method.", RecordedCall::method)
            .text("path", "The path, without the query.", RecordedCall::path)
            .number("at", "When the call-out began.", call -> millis(call.began()))
            .number("ms", "How long the call-out took.", call -> millis(call.ended() - call.began()))
            .optional("status", Json.INTEGER, "The status of the response.", c -> c.status() == 0 ? null : c.status())
            .optionalText("failure", "The label of the error, or cancelled.", RecordedCall::failure)
            .optionalText("span", "The id of the span.", c -> c.span() == 0 ? null : TraceContext.spanId(c.span()))
            .list("attempts", ATTEMPT, "The attempts at origins.", RecordedCall::attempts);

    public static final Shape<RecordedExchange> SHAPE = new Shape<RecordedExchange>(
                    "Exchange",
                    "A recorded exchange. Durations, and times relative to the arrival of the request head, are in milliseconds.")
            .field("reason", REASON, "The reason for the recording.", RecordedExchange::reason)
            .field("time", Json.TIME, "When the request arrived.", exchange -> time(exchange.began()))
            .text("id", "The id of the request.", RecordedExchange::id)
            .optionalText("trace", "The id of the trace.", RecordedJson::trace)
            .includeOptional(REQUEST, RecordedExchange::request)
            .integer("status", "The status that was sent to the client, or 0.", RecordedExchange::status)
            .optionalText("route", "The id of the route.", RecordedExchange::route)
            .text("listener", "The name of the listener.", RecordedExchange::listener)
            .text("client", "The address of the client.", RecordedExchange::client)
            .integer("generation", "The number of the generation.", RecordedExchange::generation)
            .integer("request_bytes", "Bytes of the request body.", RecordedExchange::requestBytes)
            .integer("response_bytes", "Bytes of the response body.", RecordedExchange::responseBytes)
            .includeOptional(FAULT, RecordedExchange::error)
            .optional("websocket_end", END, "The reason for the end of the WebSocket.", RecordedExchange::tunnelEnd)
            .number("ms", "How long the exchange took.", exchange -> millis(exchange.total()))
            .field("phases", Json.map(Json.NUMBER), "How long each phase took.", RecordedJson::phases)
            .list("filters", FILTER, "The filters that ran.", RecordedExchange::filters)
            .list("attempts", ATTEMPT, "The attempts at origins.", RecordedExchange::attempts)
            .optional(
                    "calls",
                    Json.list(CALL),
                    "The call-outs of filters.",
                    e -> e.calls().isEmpty() ? null : e.calls())
            .optional(
                    "faults",
                    Json.list(Json.TEXT),
                    "The effects of injected faults, in words.",
                    e -> e.injections().isEmpty() ? null : e.injections());

    private RecordedJson() {}

    /** Returns one line of ASCII. Untrusted text cannot end the line or control a terminal. */
    public static String line(RecordedExchange exchange) {
        return JsonText.of(json -> SHAPE.write(json, exchange));
    }

    /** Returns the point in time of {@code micros}, in microseconds since 1970. */
    public static Instant time(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    private static Map<String, Double> phases(RecordedExchange exchange) {
        Map<String, Double> phases = new LinkedHashMap<>();
        exchange.phases().forEach((phase, nanos) -> phases.put(phase.label(), millis(nanos)));
        return phases;
    }

    private static @Nullable String trace(RecordedExchange exchange) {
        TraceContext trace = exchange.trace();
        return trace == null ? null : trace.traceId();
    }

    private static @Nullable Double connect(RecordedAttempt attempt) {
        return attempt.connectNanos() < 0 ? null : (Double) millis(attempt.connectNanos());
    }

    private static double millis(long nanos) {
        return nanos / 1e6;
    }
}
