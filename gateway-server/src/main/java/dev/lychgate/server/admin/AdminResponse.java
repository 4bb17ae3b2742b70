package dev.lychgate.server.admin;

import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.JsonText;
import dev.lychgate.server.json.JsonType;
import dev.lychgate.server.json.Shape;
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
import org.jspecify.annotations.Nullable;

/**
 * A complete response of the admin listener.
 *
 * @param body the content; the array must not be modified after this call
 * @param further additional headers, without any text that the client sent
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record AdminResponse(HttpResponseStatus status, String contentType, byte[] body, Map<String, String> further) {
    static final String JSON = "application/json";
    static final String PROBLEM_JSON = "application/problem+json";

    /** A problem document as defined by RFC 9457. */
    record Problem(HttpResponseStatus status, String label, String detail, List<String> faults) {
        static final Shape<Problem> SHAPE = new Shape<Problem>("Problem", "A problem as defined by RFC 9457.")
                .text(
                        "type",
                        "The text urn:lychgate:problem: followed by the kind of the problem.",
                        problem -> "urn:lychgate:problem:" + problem.label)
                .text("title", "The reason phrase of the status.", problem -> problem.status.reasonPhrase())
                .integer("status", "The status of the response.", problem -> problem.status.code())
                .text("detail", "The problem in words.", Problem::detail)
                .optional(
                        "faults",
                        Json.list(Json.TEXT),
                        "One text for each error; missing if the files are not the reason.",
                        Problem::several);

        private @Nullable List<String> several() {
            return faults.isEmpty() ? null : faults;
        }
    }

    private static final DateTimeFormatter IMF_FIXDATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    AdminResponse(HttpResponseStatus status, String contentType, byte[] body) {
        this(status, contentType, body, Map.of());
    }

    static <M> AdminResponse json(JsonType<M> type, M model) {
        return new AdminResponse(HttpResponseStatus.OK, JSON, JsonText.withoutSecrets(type, model));
    }

    static CompletableFuture<AdminResponse> now(AdminResponse answer) {
        return CompletableFuture.completedFuture(answer);
    }

    /** Returns a response with all metrics, in the format that the {@code Accept} header of the request selected. */
    static AdminResponse metrics(MetricsFormat format, String text) {
        return new AdminResponse(HttpResponseStatus.OK, format.contentType(), text.getBytes(StandardCharsets.UTF_8))
                .with(Map.of("vary", "accept"));
    }

    /**
     * Returns a problem in the form of the gateway's own error responses (RFC 9457).
     *
     * @param label the last segment of the problem's type
     * @param detail a sentence, without any text that the client sent
     */
    static AdminResponse problem(HttpResponseStatus status, String label, String detail) {
        return problem(status, label, detail, List.of());
    }

    /**
     * Returns a problem with a list of errors.
     *
     * @param faults one text for each error; the member {@code faults} lists them, and is missing if the list is empty
     */
    static AdminResponse problem(HttpResponseStatus status, String label, String detail, List<String> faults) {
        return new AdminResponse(
                status,
                PROBLEM_JSON,
                JsonText.withoutSecrets(Problem.SHAPE, new Problem(status, label, detail, faults)));
    }

    /** Returns a response with status 422 for files that can't be used. */
    static AdminResponse refused(List<String> faults) {
        return problem(HttpResponseStatus.UNPROCESSABLE_ENTITY, "refused", String.join("; ", faults), faults);
    }

    static AdminResponse malformed(String detail) {
        return problem(HttpResponseStatus.BAD_REQUEST, "malformed-request", detail);
    }

    /** Returns a response with status 503 for a resource that is temporarily unavailable. */
    static AdminResponse unavailable(String reason) {
        return problem(HttpResponseStatus.SERVICE_UNAVAILABLE, "not-ready", reason);
    }

    static AdminResponse notFound(String detail) {
        return problem(HttpResponseStatus.NOT_FOUND, "not-found", detail);
    }

    /** Returns this response with additional headers. */
    AdminResponse with(Map<String, String> fields) {
        return new AdminResponse(status, contentType, body, fields);
    }

    /**
     * Adds the security headers of every response. They forbid caching, type sniffing, loading of resources, framing,
     * and sending a referrer. No response has CORS headers, so pages of other sites can't read responses.
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
