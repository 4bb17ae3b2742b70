package dev.lychgate.resilience;

import io.netty.handler.codec.http.HttpMethod;

/**
 * The methods for which doing it twice is the same as doing it once. Unknown ones are not trusted.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2">RFC 9110, 9.2.2 Idempotent Methods</a>
 */
public final class IdempotentMethods {
    private IdempotentMethods() {}

    /** Whether {@code method} is one of them. */
    public static boolean contain(HttpMethod method) {
        return method.equals(HttpMethod.GET)
                || method.equals(HttpMethod.HEAD)
                || method.equals(HttpMethod.PUT)
                || method.equals(HttpMethod.DELETE)
                || method.equals(HttpMethod.OPTIONS)
                || method.equals(HttpMethod.TRACE);
    }
}
