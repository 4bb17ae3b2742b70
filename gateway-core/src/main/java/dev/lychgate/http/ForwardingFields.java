package dev.lychgate.http;

/**
 * The names of the forwarding fields: request fields in which proxies report facts about a request, such as the
 * client's address, the request id or the original target. The gateway removes these fields if an untrusted client
 * sends them as header fields or trailers. If a client nominates these fields in {@code Connection}, the nomination has
 * no effect. All code that applies these rules uses this list.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7239#section-8.1">RFC 7239, 8.1 Header Validity and Integrity</a>
 */
public final class ForwardingFields {
    /**
     * The first letters of all names of forwarding fields, and the first letter of {@code Proxy}. If no field name in a
     * head begins with one of these letters, the head contains no such field.
     */
    public static final String FIRST_LETTERS = "xfp";

    /**
     * The prefixes by which forwarding fields are recognized. Prefixes are used, because origins also trust variants
     * such as {@code Forwarded-For} and {@code X-Forwarded-Prefix}. Several frameworks route by {@code X-Original-URL}
     * and {@code X-Rewrite-URL} instead of the path, which bypasses the gateway's choice of the route. {@code
     * X-Lychgate-Mirror} marks copies of requests, and origins may suppress the side effects of such a copy.
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

    /**
     * Returns whether only a proxy may set a field with this name, in any spelling that {@link FieldNames} recognizes.
     */
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
     * Returns whether the field is {@code Proxy}. This field has no meaning in HTTP, and CGI-like interfaces turn it
     * into {@code HTTP_PROXY}, the variable by which many programs select a proxy for requests.
     *
     * @see <a href="https://www.kb.cert.org/vuls/id/797896">VU#797896, httpoxy</a>
     */
    public static boolean isProxy(CharSequence name) {
        return FieldNames.isAlike(name, PROXY);
    }
}
