package dev.lychgate.exchange.filtering;

import dev.lychgate.config.PathPolicy;
import dev.lychgate.http.FieldSyntax;
import dev.lychgate.http.Methods;
import dev.lychgate.http.PathNormalizer;
import io.netty.handler.codec.http.HttpMethod;

/** Validates method, path and query that filters set. */
final class RequestTarget {
    private RequestTarget() {}

    /**
     * Validates and returns a method.
     *
     * @throws IllegalArgumentException if the method is not a token, is too long, or is CONNECT
     */
    static HttpMethod method(String method) {
        if (!FieldSyntax.isName(method) || method.length() > Methods.LONGEST || method.equals("CONNECT")) {
            throw new IllegalArgumentException("the method is malformed");
        }
        return HttpMethod.valueOf(method);
    }

    /**
     * Returns the normal form of {@code path}.
     *
     * @throws IllegalArgumentException if the path is malformed
     */
    static String path(String path) {
        String normal = isVisible(path, true) && path.startsWith("/")
                ? PathNormalizer.normalize(path, PathPolicy.STRICT)
                : null;
        if (normal == null) {
            throw new IllegalArgumentException(
                    "the path is malformed (expected: a path such as /users/17, percent-encoded and without a query;"
                            + " its segments .. must not lead above the first segment)");
        }
        return normal;
    }

    /**
     * Validates and returns {@code query}.
     *
     * @throws IllegalArgumentException if {@code query} contains characters that a query must not contain
     */
    static String query(String query) {
        if (!isVisible(query, false)) {
            throw new IllegalArgumentException("the query is malformed");
        }
        return query;
    }

    /** Returns whether all characters are visible ASCII and not {@code #}; a path must not contain {@code ?} either. */
    private static boolean isVisible(String text, boolean isPath) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c <= ' ' || c >= 0x7f || c == '#' || (isPath && c == '?')) {
                return false;
            }
        }
        return true;
    }
}
