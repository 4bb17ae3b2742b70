package dev.lychgate.exchange.call;

import dev.lychgate.config.CompareConfig;
import dev.lychgate.http.ResponseHead;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an origin's response that a mirror compares. Immutable.
 *
 * @param headers the values of the compared header fields that are present, by lower-case name; several values of one
 *     field are joined
 * @param contentType the value of Content-Type; empty if absent
 * @param contentCoding the value of Content-Encoding; empty if absent
 * @param body the body; null if it is not compared, because it is longer than the limit or spliced
 */
@SuppressWarnings("ArrayRecordComponent") // never compared as a record
public record ComparedResponse(
        int status, Map<String, String> headers, String contentType, String contentCoding, byte @Nullable [] body) {
    static ComparedResponse of(ResponseHead head, CompareConfig compare) {
        Map<String, String> compared = new LinkedHashMap<>();
        for (String name : compare.headers()) {
            List<String> values = head.headers().getAll(name);
            if (!values.isEmpty()) {
                compared.put(name.toLowerCase(Locale.ROOT), String.join(", ", values));
            }
        }
        return new ComparedResponse(
                head.status(),
                compared,
                value(head.headers(), HttpHeaderNames.CONTENT_TYPE),
                value(head.headers(), HttpHeaderNames.CONTENT_ENCODING),
                null);
    }

    private static String value(HttpHeaders headers, CharSequence name) {
        String value = headers.get(name);
        return value == null ? "" : value;
    }

    ComparedResponse with(byte @Nullable [] its) {
        return new ComparedResponse(status, headers, contentType, contentCoding, its);
    }

    /** Returns an estimate of the memory of this response, in bytes. */
    int size() {
        int fields = headers.entrySet().stream()
                .mapToInt(field -> field.getKey().length() + field.getValue().length() + Call.FIELD)
                .sum();
        return fields + contentType.length() + contentCoding.length() + (body == null ? 0 : body.length);
    }
}
