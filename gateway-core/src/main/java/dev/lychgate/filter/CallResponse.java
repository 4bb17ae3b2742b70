package dev.lychgate.filter;

import dev.lychgate.http.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The complete response to a {@linkplain FilterCall call-out}. Immutable except for the bytes of its body; any thread may use it. */
public final class CallResponse {
    private final int status;
    private final Map<String, List<String>> headers;
    private final byte[] body;

    /**
     * @param headers the header fields, in order
     * @param body belongs to this object from here on
     */
    public CallResponse(int status, Iterable<Map.Entry<String, String>> headers, byte[] body) {
        Map<String, List<String>> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach(field ->
                all.computeIfAbsent(field.getKey(), name -> new ArrayList<>(1)).add(field.getValue()));
        this.status = status;
        this.headers = Collections.unmodifiableMap(all);
        this.body = body;
    }

    /** Returns the status, 200 to 599. */
    public int getStatus() {
        return status;
    }

    /** Returns all header fields by name; names are matched without regard to case. */
    public Map<String, List<String>> getHeaders() {
        return headers;
    }

    /** Returns the first value of a header field; null if there is none. */
    public @Nullable String header(String name) {
        List<String> values = headers.get(name);
        return values == null ? null : values.get(0);
    }

    /** Returns the body; empty if there is none. A {@code content-encoding} is not decoded. */
    public byte[] getBody() {
        return body;
    }

    /** Returns the body as UTF-8. */
    public String getText() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /**
     * Returns the body, read as JSON: a {@code Map} in the order of its members, {@code List}, {@code String}, {@code Boolean},
     * {@code Long}, {@code BigInteger}, {@code BigDecimal}, or null.
     *
     * @throws IllegalArgumentException if the body is not JSON in UTF-8, repeats a member, or is nested more than 64 levels deep
     */
    public @Nullable Object getJson() {
        return Json.read(body);
    }
}
