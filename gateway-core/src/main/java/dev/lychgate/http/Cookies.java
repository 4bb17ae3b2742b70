package dev.lychgate.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The cookies of a request: read leniently, as browsers write them, and written back as one field.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc6265#section-4.2">RFC 6265, 4.2 Cookie</a>
 */
public final class Cookies {
    private Cookies() {}

    /** All cookies, in order; of several of one name the first, which is the most specific one. */
    public static Map<String, String> of(HttpHeaders headers) {
        Map<String, String> cookies = new LinkedHashMap<>();
        for (String field : headers.getAll(HttpHeaderNames.COOKIE)) {
            for (String pair : field.split(";", -1)) {
                int equals = pair.indexOf('=');
                if (equals > 0) {
                    cookies.putIfAbsent(
                            pair.substring(0, equals).trim(),
                            unquoted(pair.substring(equals + 1).trim()));
                }
            }
        }
        return cookies;
    }

    private static String unquoted(String value) {
        boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
        return quoted ? value.substring(1, value.length() - 1) : value;
    }

    /** Writes {@code cookies} in place of those there are. */
    public static void set(HttpHeaders headers, Map<String, String> cookies) {
        if (cookies.isEmpty()) {
            headers.remove(HttpHeaderNames.COOKIE);
            return;
        }
        StringBuilder field = new StringBuilder();
        cookies.forEach((name, value) -> field.append(field.isEmpty() ? "" : "; ")
                .append(name)
                .append('=')
                .append(value));
        headers.set(HttpHeaderNames.COOKIE, field.toString());
    }

    /**
     * Demands that a cookie can be sent.
     *
     * @throws IllegalArgumentException if the name is not a token, or the value has white space, quotes, commas,
     *     semicolons, backslashes or anything beyond ASCII
     */
    public static void requireValid(String name, String value) {
        if (!FieldSyntax.isName(name)) {
            throw new IllegalArgumentException("the name of a cookie is not a token");
        }
        boolean good = value.chars().allMatch(c -> c > ' ' && c < 0x7f && "\",;\\".indexOf(c) < 0);
        if (!good) {
            throw new IllegalArgumentException("the value of cookie " + name + " can't be sent");
        }
    }
}
