package dev.lychgate.http;

import io.netty.handler.codec.http.HttpMethod;

/**
 * What the gateway assumes of request methods, whichever protocol or filter they come from.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-9">RFC 9110, 9 Methods</a>
 */
public final class Methods {
    /** The longest method that is forwarded, in bytes. No method that is registered or seen in use is longer. */
    public static final int LONGEST = 64;

    private static final HttpMethod QUERY = HttpMethod.valueOf("QUERY");

    private Methods() {}

    /**
     * Whether a request with {@code method} has the same effect if it is sent twice. Unknown methods are assumed not to
     * be idempotent.
     *
     * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2">RFC 9110, 9.2.2 Idempotent Methods</a>
     * @see <a href="https://www.rfc-editor.org/rfc/rfc10008#section-2">RFC 10008, 2 QUERY</a>
     */
    public static boolean isIdempotent(HttpMethod method) {
        return method.equals(HttpMethod.GET)
                || method.equals(HttpMethod.HEAD)
                || method.equals(HttpMethod.PUT)
                || method.equals(HttpMethod.DELETE)
                || method.equals(HttpMethod.OPTIONS)
                || method.equals(HttpMethod.TRACE)
                || method.equals(QUERY);
    }
}
