package dev.lychgate.server.admin;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/**
 * A whole answer.
 *
 * @param body not to be changed any more
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record AdminAnswer(HttpResponseStatus status, String contentType, byte[] body) {
    private static final String JSON = "application/json";
    private static final String PROBLEM_JSON = "application/problem+json";
    private static final DateTimeFormatter IMF_FIXDATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

    static AdminAnswer json(Json.Content content) {
        return new AdminAnswer(HttpResponseStatus.OK, JSON, Json.bytes(content));
    }

    static AdminAnswer prometheus(String text) {
        return new AdminAnswer(HttpResponseStatus.OK, PROMETHEUS, text.getBytes(StandardCharsets.UTF_8));
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
        byte[] body = Json.bytes(json -> {
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

    FullHttpResponse response(boolean keepAlive) {
        FullHttpResponse response =
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.wrappedBuffer(body));
        response.headers()
                .set(HttpHeaderNames.DATE, IMF_FIXDATE.format(Instant.now()))
                .set(HttpHeaderNames.CONTENT_TYPE, contentType)
                .set(HttpHeaderNames.CONTENT_LENGTH, body.length)
                .set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE)
                .set("x-content-type-options", "nosniff")
                .set(HttpHeaderNames.CONNECTION, keepAlive ? HttpHeaderValues.KEEP_ALIVE : HttpHeaderValues.CLOSE);
        if (status.equals(HttpResponseStatus.METHOD_NOT_ALLOWED)) {
            response.headers().set(HttpHeaderNames.ALLOW, "GET, HEAD");
        }
        return response;
    }
}
