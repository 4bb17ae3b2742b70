package dev.lychgate.server.admin;

import dev.lychgate.server.json.JsonText;
import dev.lychgate.server.metrics.MetricsFormat;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * A whole answer.
 *
 * @param body not to be changed any more
 * @param further header fields of its own; nothing that the client sent
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record AdminAnswer(HttpResponseStatus status, String contentType, byte[] body, Map<String, String> further) {
    private static final String JSON = "application/json";
    private static final String PROBLEM_JSON = "application/problem+json";
    private static final DateTimeFormatter IMF_FIXDATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    AdminAnswer(HttpResponseStatus status, String contentType, byte[] body) {
        this(status, contentType, body, Map.of());
    }

    static AdminAnswer json(JsonText.Content content) {
        return new AdminAnswer(HttpResponseStatus.OK, JSON, JsonText.bytes(content));
    }

    /** An answer that need not be waited for. */
    static CompletableFuture<AdminAnswer> now(AdminAnswer answer) {
        return CompletableFuture.completedFuture(answer);
    }

    /** All metrics. The format depends on the {@code Accept} field of the request. */
    static AdminAnswer metrics(MetricsFormat format, String text) {
        return new AdminAnswer(HttpResponseStatus.OK, format.contentType(), text.getBytes(StandardCharsets.UTF_8))
                .with(Map.of("vary", "accept"));
    }

    /**
     * An answer to something that went wrong, in the form of the gateway's own error answers (RFC 9457).
     *
     * @param label the last part of the problem's type
     * @param detail a sentence; nothing that the client sent
     */
    static AdminAnswer problem(HttpResponseStatus status, String label, String detail) {
        return problem(status, label, detail, List.of());
    }

    /** As the other. @param faults what the detail says, one by one: a member {@code faults} if there are any */
    static AdminAnswer problem(HttpResponseStatus status, String label, String detail, List<String> faults) {
        byte[] body = JsonText.bytes(json -> {
            json.writeStartObject();
            json.writeStringField("type", "urn:lychgate:problem:" + label);
            json.writeStringField("title", status.reasonPhrase());
            json.writeNumberField("status", status.code());
            json.writeStringField("detail", detail);
            if (!faults.isEmpty()) {
                json.writeArrayFieldStart("faults");
                for (String fault : faults) {
                    json.writeString(fault);
                }
                json.writeEndArray();
            }
            json.writeEndObject();
        });
        return new AdminAnswer(status, PROBLEM_JSON, body);
    }

    static AdminAnswer malformed(String detail) {
        return problem(HttpResponseStatus.BAD_REQUEST, "malformed-request", detail);
    }

    /** Something that is not there now, but may be. */
    static AdminAnswer unavailable(String reason) {
        return problem(HttpResponseStatus.SERVICE_UNAVAILABLE, "not-ready", reason);
    }

    static AdminAnswer notFound(String detail) {
        return problem(HttpResponseStatus.NOT_FOUND, "not-found", detail);
    }

    /** This answer with header fields of its own. */
    AdminAnswer with(Map<String, String> fields) {
        return new AdminAnswer(status, contentType, body, fields);
    }

    /**
     * What every answer says to a browser: to keep nothing, to guess no type, to load nothing, to show it in nobody's frame,
     * and to tell nobody where it was. There are no fields of CORS, ever: no page of another site reads anything here.
     */
    static void guard(HttpHeaders headers) {
        headers.set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE)
                .set(HttpHeaderNames.CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'")
                .set("cross-origin-resource-policy", "same-origin")
                .set("referrer-policy", "no-referrer")
                .set("x-content-type-options", "nosniff");
    }

    FullHttpResponse response(boolean keepAlive) {
        FullHttpResponse response =
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.wrappedBuffer(body));
        response.headers()
                .set(HttpHeaderNames.DATE, IMF_FIXDATE.format(Instant.now()))
                .set(HttpHeaderNames.CONTENT_TYPE, contentType)
                .set(HttpHeaderNames.CONTENT_LENGTH, body.length)
                .set(HttpHeaderNames.CONNECTION, keepAlive ? HttpHeaderValues.KEEP_ALIVE : HttpHeaderValues.CLOSE);
        guard(response.headers());
        further.forEach(response.headers()::set);
        return response;
    }
}
