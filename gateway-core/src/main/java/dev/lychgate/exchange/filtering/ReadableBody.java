package dev.lychgate.exchange.filtering;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.filter.BodyRefusal;
import dev.lychgate.http.Json;
import dev.lychgate.http.Parameters;
import dev.lychgate.http.QueryParameters;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes bodies as text, JSON and forms. A body can be read only if it is complete, has no content coding,
 * and is in UTF-8.
 */
final class ReadableBody {
    private static final String FORM = "application/x-www-form-urlencoded";
    private static final int MOST_FIELDS = 1000;

    private ReadableBody() {}

    /**
     * Checks that a request body can be read.
     *
     * @throws BodyRefusal if the body can't be read; the client gets a 400 response
     */
    static void requireRequest(HttpHeaders headers) {
        String fault = fault(headers, "decompress");
        if (fault != null) {
            throw new BodyRefusal(GatewayError.downstream(ErrorKind.MALFORMED_REQUEST, "the request body " + fault));
        }
    }

    /**
     * Checks that a response body can be read.
     *
     * @throws IllegalStateException if the body can't be read
     */
    static void requireResponse(HttpHeaders headers, int status) {
        String fault = status == 206 ? "is partial (206)" : fault(headers, "decompress: { responses: true }");
        if (fault != null) {
            throw new IllegalStateException("the response body " + fault);
        }
    }

    private static @Nullable String fault(HttpHeaders headers, String decoder) {
        if (isCoded(headers)) {
            return "has a content-encoding, which filters can't decode; list " + decoder + " before the filter";
        }
        if (headers.contains(HttpHeaderNames.CONTENT_RANGE)) {
            return "is partial (content-range)";
        }
        List<String> types = headers.getAll(HttpHeaderNames.CONTENT_TYPE);
        if (types.size() > 1) {
            return "has several Content-Type headers";
        }
        try {
            return types.isEmpty() || hasKnownCharset(types.get(0)) ? null : "has a charset other than UTF-8";
        } catch (IllegalArgumentException e) {
            return "has a content-type with " + e.getMessage();
        }
    }

    /** Returns whether any Content-Encoding field lists a coding other than {@code identity}. */
    private static boolean isCoded(HttpHeaders headers) {
        return headers.getAll(HttpHeaderNames.CONTENT_ENCODING).stream()
                .flatMap(codings -> Arrays.stream(codings.split(",", -1)))
                .map(String::strip)
                .anyMatch(coding -> !coding.isEmpty() && !coding.equalsIgnoreCase("identity"));
    }

    /**
     * Returns whether the charset of {@code type} is UTF-8 or a subset of UTF-8.
     *
     * @throws IllegalArgumentException if the parameters are malformed, so that the origin could assume another charset
     */
    private static boolean hasKnownCharset(String type) {
        String charset = Parameters.of(type).all().getOrDefault("charset", "utf-8");
        return charset.isBlank() || charset.equalsIgnoreCase("utf-8") || charset.equalsIgnoreCase("us-ascii");
    }

    /**
     * Parses a complete request body as JSON.
     *
     * @throws BodyRefusal if the body is not JSON; the client gets a 400 response
     */
    static @Nullable Object requestJson(HttpHeaders headers, byte[] body) {
        requireRequest(headers);
        try {
            return Json.read(body);
        } catch (IllegalArgumentException e) {
            throw new BodyRefusal(
                    GatewayError.downstream(ErrorKind.MALFORMED_REQUEST, "the request body has " + e.getMessage()));
        }
    }

    /**
     * Parses a complete response body as JSON. Returns null if the body is empty, as in the response to a HEAD request.
     *
     * @throws IllegalStateException if the body is not JSON
     */
    static @Nullable Object responseJson(HttpHeaders headers, int status, byte[] body) {
        if (body.length == 0) {
            return null;
        }
        requireResponse(headers, status);
        try {
            return Json.read(body);
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("the response body has " + e.getMessage(), e);
        }
    }

    /** Returns {@code value} as JSON. Sets Content-Type, unless the message already has a JSON type. */
    static byte[] json(HttpHeaders headers, @Nullable Object value) {
        byte[] body = Json.write(value).getBytes(StandardCharsets.UTF_8);
        String type = mediaType(headers);
        if (!type.equals("application/json") && !type.endsWith("+json")) {
            headers.set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_JSON);
        }
        return body;
    }

    /**
     * Parses a request body as a form.
     *
     * @throws BodyRefusal if the body is not a form or has too many fields
     */
    static Map<String, List<String>> form(HttpHeaders headers, byte[] body) {
        requireRequest(headers);
        if (!mediaType(headers).equals(FORM)) {
            throw new BodyRefusal(
                    GatewayError.downstream(ErrorKind.MALFORMED_REQUEST, "the request body is not a form"));
        }
        // ISO-8859-1 preserves all bytes here. Bytes of unencoded characters are decoded as UTF-8 below.
        String fields = new String(body, StandardCharsets.ISO_8859_1);
        if (fields.chars().filter(c -> c == '&').count() >= MOST_FIELDS) {
            throw new BodyRefusal(GatewayError.downstream(
                    ErrorKind.BODY_TOO_LARGE, "the form has more than " + MOST_FIELDS + " fields"));
        }
        return QueryParameters.all(fields);
    }

    /** Returns a form as a body. Sets Content-Type. */
    static byte[] form(HttpHeaders headers, Map<String, ?> fields) {
        List<String> pairs = new ArrayList<>();
        fields.forEach((name, values) -> {
            for (Object value : values instanceof Iterable<?> several ? several : List.of(values)) {
                pairs.add(QueryParameters.encoded(name) + "=" + QueryParameters.encoded(value.toString()));
            }
        });
        headers.set(HttpHeaderNames.CONTENT_TYPE, FORM);
        return String.join("&", pairs).getBytes(StandardCharsets.US_ASCII);
    }

    private static String mediaType(HttpHeaders headers) {
        String type = headers.get(HttpHeaderNames.CONTENT_TYPE, "");
        int end = type.indexOf(';');
        return (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    }
}
