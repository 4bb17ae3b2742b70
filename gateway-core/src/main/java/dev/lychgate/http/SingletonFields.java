package dev.lychgate.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Iterator;
import java.util.Locale;
import java.util.Set;

/**
 * The header fields that have a single value instead of a list. A message that repeats such a field is malformed, and
 * recipients differ in the value that they use. Browsers ignore some policies that are sent twice, such as
 * Cross-Origin-Opener-Policy, even if both values are equal. If a filter adds one of these fields to a head, the new
 * field replaces an existing field of the same name.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-5.5">RFC 9110, 5.5 Field Values (singleton fields)</a>
 */
public final class SingletonFields {
    /**
     * The names of the singleton fields. Fields that only the gateway writes, such as Content-Length and Host, are
     * omitted.
     */
    private static final Set<String> NAMES = FieldNames.set("""
        access-control-allow-credentials access-control-allow-origin access-control-max-age age
        authorization content-disposition content-location content-range content-type
        cross-origin-embedder-policy cross-origin-embedder-policy-report-only cross-origin-opener-policy
        cross-origin-opener-policy-report-only cross-origin-resource-policy date etag expires from
        if-modified-since if-range if-unmodified-since last-modified location max-forwards origin
        origin-agent-cluster proxy-authorization range referer retry-after server strict-transport-security
        user-agent x-content-type-options x-frame-options
        """);

    private SingletonFields() {}

    /**
     * Returns whether a message may have at most one field with this name. The case of {@code name} does not matter.
     */
    public static boolean contains(String name) {
        return NAMES.contains(name.toLowerCase(Locale.ROOT));
    }

    /**
     * Returns whether the message has several Content-Type fields that differ. Recipients could then interpret the body
     * in different ways.
     */
    public static boolean conflict(HttpHeaders headers) {
        Iterator<String> types = headers.valueStringIterator(HttpHeaderNames.CONTENT_TYPE);
        String first = types.hasNext() ? types.next() : null;
        while (types.hasNext()) {
            if (!types.next().equals(first)) {
                return true;
            }
        }
        return false;
    }
}
