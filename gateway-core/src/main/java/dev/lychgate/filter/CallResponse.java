package dev.lychgate.filter;

import dev.lychgate.http.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The complete response to a {@linkplain FilterCall call-out}. Thread-safe. Immutable, except for the bytes of the
 * body.
 */
public final class CallResponse {
    private final int status;
    private final Map<String, List<String>> headers;
    private final byte[] body;
    private final Map<String, List<String>> trailers;

    /**
     * Creates a response without trailers.
     *
     * @param headers the header fields, in order
     * @param body the body; the caller must not change the array afterwards
     */
    public CallResponse(int status, Iterable<Map.Entry<String, String>> headers, byte[] body) {
        this(status, headers, body, List.of());
    }

    /**
     * Creates a response with trailers.
     *
     * @param headers the header fields, in order
     * @param body the body; the caller must not change the array afterwards
     * @param trailers the trailers, in order
     */
    public CallResponse(
            int status,
            Iterable<Map.Entry<String, String>> headers,
            byte[] body,
            Iterable<Map.Entry<String, String>> trailers) {
        this.status = status;
        this.headers = byName(headers);
        this.body = body;
        this.trailers = byName(trailers);
    }

    private static Map<String, List<String>> byName(Iterable<Map.Entry<String, String>> fields) {
        if (!fields.iterator().hasNext()) {
            return Map.of();
        }
        Map<String, List<String>> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        fields.forEach(field ->
                all.computeIfAbsent(field.getKey(), name -> new ArrayList<>(1)).add(field.getValue()));
        return Collections.unmodifiableMap(all);
    }

    /** Returns the status, 200 to 599. */
    public int getStatus() {
        return status;
    }

    /** Returns the values of all header fields by field name. Lookups ignore the case of the name. */
    public Map<String, List<String>> getHeaders() {
        return headers;
    }

    /** Returns the first value of a header field; null if the field is missing. */
    public @Nullable String header(String name) {
        List<String> values = headers.get(name);
        return values == null ? null : values.get(0);
    }

    /**
     * Returns the values of all trailers by name; empty if the response has no trailers. Lookups ignore the case of the
     * name. A gRPC response has its status in the trailers, or in the headers if the response has no message.
     */
    public Map<String, List<String>> getTrailers() {
        return trailers;
    }

    /** Returns the body; empty if the response has no body. A body with a {@code content-encoding} is not decoded. */
    public byte[] getBody() {
        return body;
    }

    /** Returns the body decoded as UTF-8. */
    public String getText() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /**
     * Parses the body as JSON. The result is a {@code Map}, {@code List}, {@code String}, {@code Boolean}, {@code
     * Long}, {@code BigInteger}, {@code BigDecimal}, or null. A map keeps the order of the members.
     *
     * @throws IllegalArgumentException if the body is not JSON in UTF-8, repeats a member, or is nested more than 64
     *     levels deep
     */
    public @Nullable Object getJson() {
        return Json.read(body);
    }
}
