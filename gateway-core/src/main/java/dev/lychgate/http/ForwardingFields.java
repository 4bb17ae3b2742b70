package dev.lychgate.http;

/**
 * The names of the request fields by which proxies tell origins about a request: the client's address, the request id,
 * the original target. An untrusted client must not send them, neither as header fields nor as trailers, nor have a
 * proxy remove them. All of those rules go by this one list.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7239#section-8.1">RFC 7239, 8.1 Header Validity and Integrity</a>
 */
public final class ForwardingFields {
    /** The first letters of these names and of {@code Proxy}. A head without names that begin so has none of them. */
    public static final String FIRST_LETTERS = "xfp";

    /**
     * What such names begin with. Origins take variants such as {@code Forwarded-For} and {@code X-Forwarded-Prefix} for
     * a proxy's word, too. Several frameworks route by {@code X-Original-URL} and {@code X-Rewrite-URL} instead of the
     * path, and so past the route that the gateway chose.
     */
    private static final String[] BEGINNINGS = {
        "x-forwarded", "x-real-ip", "x-request-id", "forwarded", "x-original-url", "x-original-uri", "x-rewrite-url"
    };

    private static final String PROXY = "proxy";

    private ForwardingFields() {}

    /** Whether only a proxy may set a field of that name, in any spelling that {@link FieldNames} recognizes. */
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
     * Whether the field is {@code Proxy}. It has no meaning in HTTP, and a CGI-like interface turns it into {@code
     * HTTP_PROXY}, the variable by which many programs choose the proxy of their own requests.
     *
     * @see <a href="https://www.kb.cert.org/vuls/id/797896">VU#797896, httpoxy</a>
     */
    public static boolean isProxy(CharSequence name) {
        return FieldNames.isAlike(name, PROXY);
    }
}
