package dev.lychgate.server.otlp;

import dev.lychgate.server.push.Sender;
import dev.lychgate.server.recorder.RecordedExchange;
import dev.lychgate.server.recorder.RecordedExchange.RecordedAttempt;
import dev.lychgate.server.recorder.RecordedExchange.RecordedCall;
import dev.lychgate.server.recorder.RecordedExchange.RecordedFilter;
import dev.lychgate.tracing.TraceContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Converts a recorded exchange to spans: a server span for the exchange, and a child client span for each attempt and
 * for each call-out of a filter. The server span has the filters as events. The span of a call-out has child spans for
 * the attempts of the call-out. If OpenTelemetry's conventions define a name for a span or an attribute, this name is
 * used.
 *
 * @see <a href="https://opentelemetry.io/docs/specs/semconv/http/http-spans/">Semantic conventions for HTTP spans</a>
 */
final class Spans {
    private static final int SERVER = 2;
    private static final int CLIENT = 3;
    private static final int ERROR = 2;

    /** Field numbers of a Span. */
    private static final int NAME = 5;

    private static final int ATTRIBUTE = 9;
    private static final int EVENT = 11;
    private static final int STATUS = 15;

    private static final Pattern AUTHORITY =
            Pattern.compile("(?:\\[(?<address>[^\\]]+)]|(?<name>[^:]*))(?::(?<port>\\d{1,5}))?");

    private Spans() {}

    /**
     * Returns one {@code ExportTraceServiceRequest}.
     *
     * @param service the value of {@code service.name}
     */
    static byte[] request(List<RecordedExchange> exchanges, String service, Sender sender) {
        List<ProtoMessage> spans = new ArrayList<>();
        for (RecordedExchange exchange : exchanges) {
            TraceContext trace = exchange.trace();
            if (trace != null) {
                spans.add(server(exchange, trace));
                clients(exchange, trace, trace.span(), method(exchange), exchange.attempts(), spans);
                for (RecordedCall call : exchange.calls()) {
                    spans.add(call(exchange, trace, call));
                    clients(exchange, trace, call.span(), call.method(), call.attempts(), spans);
                }
            }
        }
        return OtlpRequest.of(sender.resource(service), sender.version(), spans);
    }

    private static ProtoMessage server(RecordedExchange exchange, TraceContext trace) {
        ProtoMessage span = new ProtoMessage().id(1, trace.high(), trace.low()).id(2, trace.span());
        if (!trace.state().isEmpty()) {
            span.text(3, trace.state());
        }
        if (trace.parent() != 0) {
            span.id(4, trace.parent());
        }
        span.text(NAME, method(exchange) + (exchange.route() == null ? "" : " " + exchange.route()))
                .integer(6, SERVER)
                .fixed(7, nanos(exchange, 0))
                .fixed(8, nanos(exchange, exchange.total()));
        RecordedExchange.Request request = exchange.request();
        if (request != null) {
            span.attribute(ATTRIBUTE, "http.request.method", request.method())
                    .attribute(ATTRIBUTE, "url.path", request.path())
                    .attribute(ATTRIBUTE, "url.scheme", exchange.secure() ? "https" : "http")
                    .attribute(ATTRIBUTE, "network.protocol.version", version(request.protocol()));
            place(span, request.host());
        }
        span.attribute(ATTRIBUTE, "client.address", exchange.client())
                .attribute(ATTRIBUTE, "http.response.status_code", exchange.status())
                .attribute(ATTRIBUTE, "http.request.body.size", exchange.requestBytes())
                .attribute(ATTRIBUTE, "http.response.body.size", exchange.responseBytes())
                .attribute(ATTRIBUTE, "lychgate.request_id", exchange.id())
                .attribute(ATTRIBUTE, "lychgate.route", exchange.route())
                .attribute(ATTRIBUTE, "lychgate.listener", exchange.listener())
                .attribute(ATTRIBUTE, "lychgate.generation", exchange.generation())
                .attribute(
                        ATTRIBUTE,
                        "lychgate.websocket_end",
                        exchange.tunnelEnd() == null
                                ? null
                                : exchange.tunnelEnd().label());
        exchange.filters().forEach(filter -> span.message(EVENT, filter(exchange, filter)));
        RecordedExchange.Fault error = exchange.error();
        span.attribute(ATTRIBUTE, "error.type", error == null ? null : error.kind());
        // An error of a client is not an error of the server span (semantic conventions, HTTP server spans, status).
        if (exchange.status() >= 500 || (error != null && !error.side().equals("downstream"))) {
            span.message(STATUS, failed(error == null ? "" : error.detail()));
        }
        return span;
    }

    private static ProtoMessage filter(RecordedExchange exchange, RecordedFilter filter) {
        return new ProtoMessage()
                .fixed(1, nanos(exchange, filter.began()))
                .text(2, "filter " + filter.name())
                .attribute(3, "lychgate.filter.stage", filter.stage())
                .attribute(3, "lychgate.filter.outcome", filter.outcome())
                .attribute(3, "lychgate.filter.duration_ms", (filter.ended() - filter.began()) / 1e6);
    }

    private static ProtoMessage call(RecordedExchange exchange, TraceContext trace, RecordedCall call) {
        ProtoMessage span = new ProtoMessage()
                .id(1, trace.high(), trace.low())
                .id(2, call.span())
                .id(4, trace.span())
                .text(NAME, call.method() + " " + call.upstream())
                .integer(6, CLIENT)
                .fixed(7, nanos(exchange, call.began()))
                .fixed(8, nanos(exchange, call.ended()))
                .attribute(ATTRIBUTE, "http.request.method", call.method())
                .attribute(ATTRIBUTE, "url.path", call.path())
                .attribute(ATTRIBUTE, "lychgate.upstream", call.upstream());
        if (call.status() > 0) {
            span.attribute(ATTRIBUTE, "http.response.status_code", call.status());
        }
        String failure = call.status() >= 400 ? Integer.toString(call.status()) : call.failure();
        if (failure != null) {
            span.attribute(ATTRIBUTE, "error.type", failure).message(STATUS, failed(""));
        }
        return span;
    }

    /**
     * Adds a span for each of {@code attempts}.
     *
     * @param parent the parent of these spans
     */
    private static void clients(
            RecordedExchange exchange,
            TraceContext trace,
            long parent,
            String method,
            List<RecordedAttempt> attempts,
            List<ProtoMessage> to) {
        for (int resent = 0; resent < attempts.size(); resent++) {
            to.add(client(exchange, trace, parent, method, attempts.get(resent), resent));
        }
    }

    private static ProtoMessage client(
            RecordedExchange exchange,
            TraceContext trace,
            long parent,
            String method,
            RecordedAttempt attempt,
            int resent) {
        ProtoMessage span = new ProtoMessage()
                .id(1, trace.high(), trace.low())
                .id(2, attempt.span() == 0 ? unheard() : attempt.span())
                .id(4, parent)
                .text(NAME, method)
                .integer(6, CLIENT)
                .fixed(7, nanos(exchange, attempt.began()))
                .fixed(8, nanos(exchange, attempt.ended() < 0 ? exchange.total() : attempt.ended()))
                .attribute(ATTRIBUTE, "http.request.method", method)
                .attribute(ATTRIBUTE, "lychgate.upstream", attempt.upstream())
                .attribute(ATTRIBUTE, "lychgate.attempt", attempt.again() == null ? "first" : attempt.again());
        place(span, attempt.endpoint());
        if (resent > 0) {
            span.attribute(ATTRIBUTE, "http.request.resend_count", resent);
        }
        if (attempt.connected() >= 0) {
            Double millis = attempt.connectNanos() < 0 ? null : (Double) (attempt.connectNanos() / 1e6);
            span.message(
                    EVENT,
                    new ProtoMessage()
                            .fixed(1, nanos(exchange, attempt.connected()))
                            .text(2, "connection")
                            .attribute(3, "lychgate.connection.reused", attempt.reused())
                            .attribute(3, "lychgate.connection.connect_ms", millis));
        }
        if (attempt.answered() >= 0) {
            span.attribute(ATTRIBUTE, "http.response.status_code", attempt.status())
                    .message(
                            EVENT,
                            new ProtoMessage()
                                    .fixed(1, nanos(exchange, attempt.answered()))
                                    .text(2, "response head"));
        }
        if (attempt.failure() != null) {
            span.attribute(ATTRIBUTE, "error.type", attempt.failure()).message(STATUS, failed(attempt.failure()));
        } else if (attempt.status() >= 400) {
            span.attribute(ATTRIBUTE, "error.type", Integer.toString(attempt.status()))
                    .message(STATUS, failed(""));
        }
        return span;
    }

    /**
     * Writes the host and the port of an authority as separate attributes.
     *
     * @param authority {@code HOST} or {@code HOST:PORT}; an IPv6 address may be in brackets
     */
    private static void place(ProtoMessage span, String authority) {
        Matcher parts = AUTHORITY.matcher(authority);
        if (!parts.matches()) {
            span.attribute(ATTRIBUTE, "server.address", authority);
            return;
        }
        String address = parts.group("address");
        span.attribute(ATTRIBUTE, "server.address", address == null ? parts.group("name") : address);
        if (parts.group("port") != null) {
            span.attribute(ATTRIBUTE, "server.port", Long.parseLong(parts.group("port")));
        }
    }

    /** Returns a new span id for an attempt that did not send a span id to an origin. */
    private static long unheard() {
        return ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
    }

    private static ProtoMessage failed(String why) {
        return new ProtoMessage().text(2, why).integer(3, ERROR);
    }

    private static String method(RecordedExchange exchange) {
        RecordedExchange.Request request = exchange.request();
        return request == null ? "HTTP" : request.method();
    }

    /** Returns the version of a protocol, such as {@code 1.1} for {@code HTTP/1.1}. */
    private static String version(String protocol) {
        int slash = protocol.indexOf('/');
        return protocol.substring(slash + 1);
    }

    /**
     * @param at nanoseconds since the start of the exchange
     * @return nanoseconds since 1970
     */
    private static long nanos(RecordedExchange exchange, long at) {
        return exchange.began() * 1000 + at;
    }
}
