package dev.lychgate.http;

import io.netty.handler.codec.http.HttpMethod;

/**
 * Defines properties of request methods. The code for all protocols and the filters use these definitions.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-9">RFC 9110, 9 Methods</a>
 */
public final class Methods {
    /** The maximum length of a forwarded method, in bytes. No registered or commonly used method is longer. */
    public static final int LONGEST = 64;

    private static final HttpMethod QUERY = HttpMethod.valueOf("QUERY");

    private Methods() {}

    /**
     * Returns whether two equal requests with {@code method} have the same effect as one such request. Unknown methods
     * are assumed not to be idempotent.
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
