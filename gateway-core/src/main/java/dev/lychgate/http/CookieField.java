package dev.lychgate.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;

/**
 * Single cookies of a request, among others that are not to be touched: what is left in a field is left byte for byte.
 * Allocates nothing but lists where there is no such cookie.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc6265#section-5.4">RFC 6265, 5.4 The Cookie Header</a>
 */
public final class CookieField {
    private CookieField() {}

    /** The values of all cookies of that name, in their order, which is that of the more specific path first. */
    public static List<String> values(HttpHeaders headers, String name) {
        List<String> values = new ArrayList<>(1);
        for (String field : headers.getAll(HttpHeaderNames.COOKIE)) {
            for (int from = 0; from <= field.length(); from = end(field, from) + 1) {
                int value = valueOf(name, field, from);
                if (value >= 0) {
                    values.add(field.substring(value, end(field, from)).trim());
                }
            }
        }
        return values;
    }

    /** Takes off all cookies of that name. */
    public static void remove(HttpHeaders headers, String name) {
        List<String> fields = headers.getAll(HttpHeaderNames.COOKIE);
        List<String> left = new ArrayList<>(fields.size());
        boolean changed = false;
        for (String field : fields) {
            String without = without(name, field);
            changed |= !without.equals(field);
            if (without.equals(field) || !without.isBlank()) {
                left.add(without);
            }
        }
        if (!changed) {
            return;
        }
        headers.remove(HttpHeaderNames.COOKIE);
        left.forEach(field -> headers.add(HttpHeaderNames.COOKIE, field));
    }

    private static String without(String name, String field) {
        StringBuilder left = new StringBuilder(field.length());
        boolean changed = false;
        for (int from = 0; from <= field.length(); from = end(field, from) + 1) {
            if (valueOf(name, field, from) >= 0) {
                changed = true;
            } else {
                boolean begins = left.isEmpty();
                String pair = field.substring(from, end(field, from));
                // The blank behind a semicolon went with the pair in front of it.
                left.append(begins ? "" : ";").append(begins && from > 0 ? pair.stripLeading() : pair);
            }
        }
        return changed ? left.toString() : field;
    }

    /** Where the pair ends that begins at {@code from}; quotes keep no semicolon in, as in browsers. */
    private static int end(String field, int from) {
        int semicolon = field.indexOf(';', from);
        return semicolon < 0 ? field.length() : semicolon;
    }

    /** Where the value begins, if the pair at {@code from} has this name; -1 if not. */
    private static int valueOf(String name, String field, int from) {
        int begin = from;
        while (begin < field.length() && isBlank(field.charAt(begin))) {
            begin++;
        }
        if (!field.startsWith(name, begin)) {
            return -1;
        }
        int equals = begin + name.length();
        while (equals < field.length() && isBlank(field.charAt(equals))) {
            equals++;
        }
        return equals < field.length() && field.charAt(equals) == '=' ? equals + 1 : -1;
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }
}
