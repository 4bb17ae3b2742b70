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
    private final Fields headers;
    private final byte[] body;
    private final Fields trailers;

    /**
     * Creates a response without trailers.
     *
     * @param headers the header fields, in order; the caller must not change them afterwards
     * @param body the body; the caller must not change the array afterwards
     */
    public CallResponse(int status, Iterable<Map.Entry<String, String>> headers, byte[] body) {
        this(status, headers, body, List.of());
    }

    /**
     * Creates a response with trailers.
     *
     * @param headers the header fields, in order; the caller must not change them afterwards
     * @param body the body; the caller must not change the array afterwards
     * @param trailers the trailers, in order; the caller must not change them afterwards
     */
    public CallResponse(
            int status,
            Iterable<Map.Entry<String, String>> headers,
            byte[] body,
            Iterable<Map.Entry<String, String>> trailers) {
        this.status = status;
        this.headers = new Fields(headers);
        this.body = body;
        this.trailers = new Fields(trailers);
    }

    /** The fields of a head or of trailers. The map of the fields by name is built only if a filter requests it. */
    private static final class Fields {
        private final Iterable<Map.Entry<String, String>> inOrder;
        private volatile @Nullable Map<String, List<String>> byName;

        Fields(Iterable<Map.Entry<String, String>> inOrder) {
            this.inOrder = inOrder;
        }

        Map<String, List<String>> byName() {
            Map<String, List<String>> sorted = byName;
            if (sorted == null) {
                Map<String, List<String>> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
                inOrder.forEach(field -> all.computeIfAbsent(field.getKey(), name -> new ArrayList<>(1))
                        .add(field.getValue()));
                sorted = Collections.unmodifiableMap(all);
                byName = sorted;
            }
            return sorted;
        }

        @Nullable
        String first(String name) {
            for (Map.Entry<String, String> field : inOrder) {
                if (field.getKey().equalsIgnoreCase(name)) {
                    return field.getValue();
                }
            }
            return null;
        }
    }

    /** Returns the status, 200 to 599. */
    public int getStatus() {
        return status;
    }

    /** Returns the values of all header fields by field name. Lookups ignore the case of the name. */
    public Map<String, List<String>> getHeaders() {
        return headers.byName();
    }

    /** Returns the first value of a header field; null if the field is missing. */
    public @Nullable String header(String name) {
        return headers.first(name);
    }

    /**
     * Returns the values of all trailers by name; empty if the response has no trailers. Lookups ignore the case of the
     * name. A gRPC response has its status in the trailers, or in the headers if the response has no message.
     */
    public Map<String, List<String>> getTrailers() {
        return trailers.byName();
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
