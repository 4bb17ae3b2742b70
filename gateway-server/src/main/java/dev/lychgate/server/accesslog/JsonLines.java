package dev.lychgate.server.accesslog;

import dev.lychgate.cache.CacheOutcome;
import dev.lychgate.error.GatewayError;
import dev.lychgate.http.Redaction;
import dev.lychgate.tls.ClientCertificate;
import dev.lychgate.tls.TlsSession;
import dev.lychgate.tracing.TraceContext;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One JSON object per line, with members in a fixed order. Unknown values are omitted. */
final class JsonLines implements LineFormat {
    private static final DateTimeFormatter SECOND =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final byte[] TIME = LineBuffer.constant("{\"time\":\"");
    private static final byte[] ID = text("id");
    private static final byte[] TRACE = text("trace");
    private static final byte[] LISTENER = text("listener");
    private static final byte[] CLIENT = text("client");
    private static final byte[] SUBJECT = text("subject");
    private static final byte[] METHOD = text("method");
    private static final byte[] HOST = text("host");
    private static final byte[] PATH = text("path");
    private static final byte[] QUERY = text("query");
    private static final byte[] PROTOCOL = text("protocol");
    private static final byte[] ROUTE = text("route");
    private static final byte[] UPSTREAM = text("upstream");
    private static final byte[] ENDPOINT = text("endpoint");
    private static final byte[] FALLBACK = text("fallback");
    private static final byte[] CACHE = text("cache");
    private static final byte[] ERROR = text("error");
    private static final byte[] ERROR_SIDE = text("error_side");
    private static final byte[] WEBSOCKET_END = text("websocket_end");
    private static final byte[] FAULT = text("fault");
    private static final byte[] TLS_PROTOCOL = text("tls_protocol");
    private static final byte[] TLS_CIPHER = text("tls_cipher");
    private static final byte[] TLS_CLIENT = text("tls_client");
    private static final byte[] USER_AGENT = text("user_agent");
    private static final byte[] REFERER = text("referer");
    private static final byte[] STATUS = name("status");
    private static final byte[] REQUEST_BYTES = name("request_bytes");
    private static final byte[] RESPONSE_BYTES = name("response_bytes");
    private static final byte[] ATTEMPTS = name("attempts");
    private static final byte[] CALLS = name("calls");
    private static final byte[] TOTAL_MS = name("total_ms");
    private static final byte[] POOL_WAIT_MS = name("pool_wait_ms");
    private static final byte[] CONNECT_MS = name("connect_ms");
    private static final byte[] FIRST_BYTE_MS = name("first_byte_ms");
    private static final byte[] GENERATION = name("generation");
    private static final byte[] REQUEST_HEADERS = name("request_headers");
    private static final byte[] RESPONSE_HEADERS = name("response_headers");
    private static final byte[] SAMPLE = name("sample");

    private final Redaction redaction;
    private final SecondText seconds = new SecondText(SECOND);

    /** @param redaction selects the values to redact */
    JsonLines(Redaction redaction) {
        this.redaction = redaction;
    }

    @Override
    public boolean hasChanges() {
        return true;
    }

    @Override
    public void append(LineBuffer line, AccessRecord record) {
        long began = record.beganAt();
        line.append(TIME).append(seconds.of(began)).appendThousandths(Math.floorMod(began, 1000L));
        line.append('Z').append('"');
        text(line, ID, record.id());
        TraceContext trace = record.trace();
        text(line, TRACE, trace == null ? null : trace.traceId());
        text(line, LISTENER, record.listener());
        line.append(CLIENT).append(record.client()).append('"');
        text(line, SUBJECT, record.subject());
        AccessRecord.Request request = record.request();
        if (request != null) {
            text(line, METHOD, request.method());
            text(line, HOST, request.host(redaction));
            text(line, PATH, request.path());
            text(line, QUERY, redaction.query(request.query()));
            text(line, PROTOCOL, request.protocol());
        }
        number(line, STATUS, record.status());
        number(line, REQUEST_BYTES, record.requestBytes());
        number(line, RESPONSE_BYTES, record.responseBytes());
        text(line, ROUTE, record.route());
        text(line, UPSTREAM, record.upstream());
        text(line, ENDPOINT, record.endpoint());
        number(line, ATTEMPTS, record.attempts());
        if (record.calls() > 0) {
            number(line, CALLS, record.calls());
        }
        text(line, FALLBACK, record.fallback());
        CacheOutcome cache = record.cache();
        text(line, CACHE, cache == null ? null : cache.label());
        AccessRecord.Times times = record.times();
        millis(line, TOTAL_MS, times.total());
        millis(line, POOL_WAIT_MS, times.poolWait());
        millis(line, CONNECT_MS, times.connect());
        millis(line, FIRST_BYTE_MS, times.firstByte());
        GatewayError error = record.error();
        if (error != null) {
            text(line, ERROR, error.kind().label());
            text(line, ERROR_SIDE, error.side().label());
        }
        if (record.tunnelEnd() != null) {
            text(line, WEBSOCKET_END, record.tunnelEnd().label());
        }
        text(line, FAULT, record.fault());
        number(line, GENERATION, record.generation());
        TlsSession tls = record.tls();
        if (tls != null) {
            text(line, TLS_PROTOCOL, tls.protocol());
            text(line, TLS_CIPHER, tls.cipher());
            ClientCertificate certificate = tls.clientCertificate();
            text(line, TLS_CLIENT, certificate == null ? null : certificate.subject());
        }
        if (request != null) {
            text(line, USER_AGENT, request.userAgent(redaction));
            text(line, REFERER, request.referer(redaction));
        }
        LoggedFields.Copied fields = record.fields();
        if (fields != null) {
            fields(line, REQUEST_HEADERS, fields.request());
            fields(line, RESPONSE_HEADERS, fields.response());
        }
        if (record.sample() < 1) {
            line.append(SAMPLE).append(Double.toString(record.sample()));
        }
        line.append('}');
    }

    private static byte[] name(String name) {
        return LineBuffer.constant(",\"" + name + "\":");
    }

    private static byte[] text(String name) {
        return LineBuffer.constant(",\"" + name + "\":\"");
    }

    private static void fields(LineBuffer line, byte[] name, LoggedFields.Values values) {
        int before = line.length();
        line.append(name).append('{');
        if (values.append(line)) {
            line.append('}');
        } else {
            line.truncate(before);
        }
    }

    private static void text(LineBuffer line, byte[] name, @Nullable String value) {
        if (value != null) {
            Escapes.json(line.append(name), value);
            line.append('"');
        }
    }

    private static void number(LineBuffer line, byte[] name, long value) {
        line.append(name).append(value);
    }

    private static void millis(LineBuffer line, byte[] name, long nanos) {
        if (nanos >= 0) {
            long micros = (nanos + 500) / 1000;
            line.append(name).append(micros / 1000).appendThousandths(micros % 1000);
        }
    }
}
