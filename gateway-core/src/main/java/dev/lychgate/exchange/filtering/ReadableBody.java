package dev.lychgate.exchange.filtering;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.filter.BodyRefusal;
import dev.lychgate.http.Json;
import dev.lychgate.http.QueryParameters;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Bodies as text, JSON and forms. They can be read if they are complete, without a content coding, and in UTF-8. */
final class ReadableBody {
    private static final String FORM = "application/x-www-form-urlencoded";
    private static final int MOST_FIELDS = 1000;

    private ReadableBody() {}

    /** @throws BodyRefusal if the body cannot be read; the client gets 400 */
    static void requireRequest(HttpHeaders headers) {
        String fault = fault(headers, "decompress");
        if (fault != null) {
            throw new BodyRefusal(GatewayError.downstream(ErrorKind.MALFORMED_REQUEST, "the request body " + fault));
        }
    }

    /** @throws IllegalStateException if the body cannot be read */
    static void requireResponse(HttpHeaders headers, int status) {
        String fault = status == 206 ? "is partial (206)" : fault(headers, "decompress: { answers: true }");
        if (fault != null) {
            throw new IllegalStateException("the response body " + fault);
        }
    }

    private static @Nullable String fault(HttpHeaders headers, String decoder) {
        String coding = headers.get(HttpHeaderNames.CONTENT_ENCODING);
        if (coding != null && !coding.equalsIgnoreCase("identity")) {
            return "has a content-encoding, which a filter cannot read: list " + decoder + " before the filter";
        }
        if (headers.contains(HttpHeaderNames.CONTENT_RANGE)) {
            return "is partial (content-range)";
        }
        String charset = charset(headers.get(HttpHeaderNames.CONTENT_TYPE));
        return charset.isEmpty() || charset.equals("utf-8") || charset.equals("us-ascii")
                ? null
                : "has a charset other than UTF-8";
    }

    /** Returns the charset of a content type in lower case; empty if it has none. */
    private static String charset(@Nullable String type) {
        String parameters = type == null ? "" : type.toLowerCase(Locale.ROOT);
        for (int at = parameters.indexOf(';'); at >= 0; at = parameters.indexOf(';', at + 1)) {
            String parameter = parameters.substring(at + 1).stripLeading();
            if (parameter.startsWith("charset=")) {
                int end = parameter.indexOf(';');
                return parameter
                        .substring("charset=".length(), end < 0 ? parameter.length() : end)
                        .replace("\"", "")
                        .strip();
            }
        }
        return "";
    }

    /** Reads the complete body of a request as JSON. @throws BodyRefusal if it is none; the client gets 400 */
    static @Nullable Object requestJson(HttpHeaders headers, byte[] body) {
        requireRequest(headers);
        try {
            return json(body);
        } catch (IllegalArgumentException e) {
            throw new BodyRefusal(
                    GatewayError.downstream(ErrorKind.MALFORMED_REQUEST, "the request body has " + e.getMessage()));
        }
    }

    /** Reads the complete body of a response as JSON. @throws IllegalStateException if it is none */
    static @Nullable Object responseJson(HttpHeaders headers, int status, byte[] body) {
        requireResponse(headers, status);
        try {
            return json(body);
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("the response body has " + e.getMessage(), e);
        }
    }

    private static @Nullable Object json(byte[] body) {
        String text = new String(body, StandardCharsets.UTF_8);
        return Json.read(text.startsWith("\uFEFF") ? text.substring(1) : text);
    }

    /** Returns {@code value} as JSON, and sets the type unless it is a JSON type. */
    static byte[] json(HttpHeaders headers, @Nullable Object value) {
        byte[] body = Json.write(value).getBytes(StandardCharsets.UTF_8);
        String type = mediaType(headers);
        if (!type.equals("application/json") && !type.endsWith("+json")) {
            headers.set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_JSON);
        }
        return body;
    }

    /** Reads the fields of a form. @throws BodyRefusal if the body is none */
    static Map<String, List<String>> form(HttpHeaders headers, byte[] body) {
        requireRequest(headers);
        if (!mediaType(headers).equals(FORM)) {
            throw new BodyRefusal(
                    GatewayError.downstream(ErrorKind.MALFORMED_REQUEST, "the request body is not a form"));
        }
        // The bytes of unencoded characters are UTF-8, and decoded as such.
        String fields = new String(body, StandardCharsets.ISO_8859_1).replace('+', ' ');
        if (fields.chars().filter(c -> c == '&').count() >= MOST_FIELDS) {
            throw new BodyRefusal(GatewayError.downstream(
                    ErrorKind.BODY_TOO_LARGE, "the form has more than " + MOST_FIELDS + " fields"));
        }
        return QueryParameters.all(fields);
    }

    /** Returns a form as a body, and sets the type. */
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
