package dev.lychgate.cache;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.Map;

/**
 * Chooses the field from which the cache directives of a response are read. This is the first targeted field that is
 * valid and not empty. If there is no such field, it is {@code Cache-Control}.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9213#section-2.2">RFC 9213, 2.2 Cache Behavior</a>
 */
final class TargetedFields {
    private TargetedFields() {}

    /**
     * Returns the directives of a response. {@code targets} contains the names of the targeted fields, in the order of
     * preference.
     */
    static CacheControl of(HttpHeaders headers, List<String> targets) {
        for (String target : targets) {
            List<String> fields = headers.getAll(target);
            if (!fields.isEmpty()) {
                Map<String, Object> members = StructuredDictionary.parse(fields);
                if (members != null && !members.isEmpty()) {
                    return CacheControl.targeted(members);
                }
            }
        }
        return CacheControl.parse(headers.getAll(HttpHeaderNames.CACHE_CONTROL));
    }
}
