package dev.lychgate.server.accesslog;

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

    private final Redaction redaction;
    private final SecondText seconds = new SecondText(SECOND);

    /** @param redaction the values to redact */
    JsonLines(Redaction redaction) {
        this.redaction = redaction;
    }

    @Override
    public void append(LineBuffer line, AccessRecord record) {
        long began = record.beganAt();
        line.append("{\"time\":\"").append(seconds.of(began)).appendThousandths(Math.floorMod(began, 1000L));
        line.append('Z').append('"');
        text(line, "id", record.id());
        TraceContext trace = record.trace();
        text(line, "trace", trace == null ? null : trace.traceId());
        text(line, "listener", record.listener());
        line.member("client").append('"').append(record.client()).append('"');
        AccessRecord.Request request = record.request();
        if (request != null) {
            text(line, "method", request.method());
            text(line, "host", request.host(redaction));
            text(line, "path", request.path());
            text(line, "query", redaction.query(request.query()));
            text(line, "protocol", request.protocol());
        }
        number(line, "status", record.status());
        number(line, "request_bytes", record.requestBytes());
        number(line, "response_bytes", record.responseBytes());
        text(line, "route", record.route());
        text(line, "upstream", record.upstream());
        text(line, "endpoint", record.endpoint());
        number(line, "attempts", record.attempts());
        if (record.calls() > 0) {
            number(line, "calls", record.calls());
        }
        text(line, "fallback", record.fallback());
        AccessRecord.Times times = record.times();
        millis(line, "total_ms", times.total());
        millis(line, "pool_wait_ms", times.poolWait());
        millis(line, "connect_ms", times.connect());
        millis(line, "first_byte_ms", times.firstByte());
        GatewayError error = record.error();
        if (error != null) {
            text(line, "error", error.kind().label());
            text(line, "error_side", error.side().label());
        }
        if (record.tunnelEnd() != null) {
            text(line, "websocket_end", record.tunnelEnd().label());
        }
        number(line, "generation", record.generation());
        TlsSession tls = record.tls();
        if (tls != null) {
            text(line, "tls_protocol", tls.protocol());
            text(line, "tls_cipher", tls.cipher());
            ClientCertificate certificate = tls.clientCertificate();
            text(line, "tls_client", certificate == null ? null : certificate.subject());
        }
        if (request != null) {
            text(line, "user_agent", request.userAgent(redaction));
            text(line, "referer", request.referer(redaction));
        }
        LoggedFields.Copied fields = record.fields();
        if (fields != null) {
            fields(line, "request_headers", fields.request());
            fields(line, "response_headers", fields.response());
        }
        if (record.sample() < 1) {
            line.member("sample").append(Double.toString(record.sample()));
        }
        line.append('}');
    }

    private static void fields(LineBuffer line, String name, LoggedFields.Values values) {
        int before = line.length();
        line.member(name).append('{');
        if (values.append(line)) {
            line.append('}');
        } else {
            line.truncate(before);
        }
    }

    /** Appends a member, with a comma before it; nothing if the value is null. */
    static void text(LineBuffer line, String name, @Nullable String value) {
        if (value != null) {
            Escapes.json(line.member(name).append('"'), value);
            line.append('"');
        }
    }

    private static void number(LineBuffer line, String name, long value) {
        line.member(name).append(value);
    }

    private static void millis(LineBuffer line, String name, long nanos) {
        if (nanos >= 0) {
            long micros = (nanos + 500) / 1000;
            line.member(name).append(micros / 1000).appendThousandths(micros % 1000);
        }
    }
}
