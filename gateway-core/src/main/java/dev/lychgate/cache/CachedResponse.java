package dev.lychgate.cache;

import dev.lychgate.http.ResponseHead;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A response that the gateway creates from a stored response: the whole response, a range of its body, or a 304.
 *
 * @param head the head, owned by the caller, without framing
 * @param body the body, which the caller must close
 */
public record CachedResponse(ResponseHead head, BodyReader body) {
    private static final List<CharSequence> ABOUT_CONTENT =
            List.of(HttpHeaderNames.CONTENT_TYPE, HttpHeaderNames.CONTENT_ENCODING, HttpHeaderNames.CONTENT_LANGUAGE);

    /**
     * Creates the response to a request.
     *
     * @param stored the stored response; its reference to the body passes to the result
     * @param request the header fields of the client's request
     * @param cacheStatus the value of {@code Cache-Status}; null if the response does not contain this field
     * @param now the monotonic clock, in nanoseconds
     */
    static CachedResponse of(
            StoredResponse stored, HttpMethod method, HttpHeaders request, @Nullable String cacheStatus, long now) {
        HttpHeaders headers = stored.headers.copy();
        headers.set(HttpHeaderNames.AGE, Long.toString(stored.freshness.age(now)));
        if (cacheStatus != null) {
            headers.add(CacheStatus.NAME, cacheStatus);
        }
        if (stored.status == 200 && isNotModified(stored, request)) {
            ABOUT_CONTENT.forEach(headers::remove);
            return part(new ResponseHead(304, headers), stored, 0, 0);
        }
        long whole = stored.body.length();
        boolean divisible = stored.status == 200 && method.equals(HttpMethod.GET);
        ByteRange range = divisible ? range(stored, request, whole) : null;
        if (range == null) {
            return part(new ResponseHead(stored.status, stored.reason, headers), stored, 0, whole);
        }
        headers.set(HttpHeaderNames.CONTENT_RANGE, range.field(whole));
        if (!range.isSatisfiable()) {
            headers.remove(HttpHeaderNames.CONTENT_TYPE);
            headers.remove(HttpHeaderNames.CONTENT_ENCODING);
        }
        int partial = range.isSatisfiable() ? 206 : 416;
        return part(new ResponseHead(partial, headers), stored, range.from(), range.length());
    }

    private static CachedResponse part(ResponseHead head, StoredResponse stored, long from, long length) {
        return new CachedResponse(head, new BodyReader(stored.body, from, length));
    }

    /**
     * Evaluates the conditions in the client's request. Returns whether the response to the client is a 304.
     *
     * @see <a href="https://www.rfc-editor.org/rfc/rfc9111#section-4.3.2">RFC 9111, 4.3.2 Handling a Received
     *     Validation Request</a>
     */
    private static boolean isNotModified(StoredResponse stored, HttpHeaders request) {
        List<String> tags = request.getAll(HttpHeaderNames.IF_NONE_MATCH);
        if (!tags.isEmpty()) {
            return EntityTag.isIn(tags, stored.entityTag());
        }
        String since = request.get(HttpHeaderNames.IF_MODIFIED_SINCE);
        if (since == null) {
            return false;
        }
        long date = stored.freshness.date();
        long limit = HttpTime.parse(since, date);
        String modified = stored.lastModified();
        long changed = modified == null ? date : HttpTime.parse(modified, date);
        return limit != HttpTime.MALFORMED && changed != HttpTime.MALFORMED && changed <= limit;
    }

    private static @Nullable ByteRange range(StoredResponse stored, HttpHeaders request, long whole) {
        List<String> fields = request.getAll(HttpHeaderNames.RANGE);
        if (fields.isEmpty()) {
            return null;
        }
        String condition = request.get(HttpHeaderNames.IF_RANGE);
        if (condition != null) {
            String wanted = condition.strip();
            boolean same = wanted.startsWith("\"")
                    ? EntityTag.equalsStrongly(wanted, stored.entityTag())
                    : wanted.equals(stored.lastModified());
            if (!same) {
                return null;
            }
        }
        return ByteRange.parse(fields, whole);
    }
}
