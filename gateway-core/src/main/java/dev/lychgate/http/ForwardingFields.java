package dev.lychgate.http;

/**
 * Names of the request fields by which proxies pass on facts about a request: the client's address, the request id, the
 * original target. An untrusted client must not send these fields as header fields or trailers, and must not cause a
 * proxy to remove them. The code for each of these rules uses this list.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7239#section-8.1">RFC 7239, 8.1 Header Validity and Integrity</a>
 */
public final class ForwardingFields {
    /**
     * First letters of these names and of {@code Proxy}: a head in which no name begins with one of them has none of
     * these fields.
     */
    public static final String FIRST_LETTERS = "xfp";

    /**
     * Prefixes of these names. Origins also trust variants such as {@code Forwarded-For} and
     * {@code X-Forwarded-Prefix}. Several frameworks route by {@code X-Original-URL} and {@code X-Rewrite-URL} instead
     * of the path, and thus bypass the gateway's choice of the route. Origins may suppress the effects of requests with
     * {@code X-Lychgate-Mirror}, which marks copies.
     */
    private static final String[] BEGINNINGS = {
        "x-forwarded",
        "x-real-ip",
        "x-request-id",
        "forwarded",
        "x-original-url",
        "x-original-uri",
        "x-rewrite-url",
        "x-lychgate-mirror"
    };

    private static final String PROXY = "proxy";

    private ForwardingFields() {}

    /** Returns whether only a proxy may set a field with that name, in any spelling that {@link FieldNames} recognizes. */
    public static boolean contains(CharSequence name) {
        int first = HttpBytes.lower(name.charAt(0));
        if (first != 'x' && first != 'f') {
            return false;
        }
        for (String beginning : BEGINNINGS) {
            if (FieldNames.beginsAlike(name, beginning)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether the field is {@code Proxy}. It has no meaning in HTTP, and CGI-like interfaces turn it into
     * {@code HTTP_PROXY}, the variable by which many programs select a proxy for requests.
     *
     * @see <a href="https://www.kb.cert.org/vuls/id/797896">VU#797896, httpoxy</a>
     */
    public static boolean isProxy(CharSequence name) {
        return FieldNames.isAlike(name, PROXY);
    }
}
