package dev.lychgate.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads and changes the cookies of a request. Cookies are parsed leniently, as browsers write them, and are written as
 * one header line. A change to one cookie keeps the bytes of all other cookies. If no cookie has the requested name,
 * the methods allocate only lists.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc6265#section-4.2">RFC 6265, 4.2 Cookie</a>
 */
public final class Cookies {
    private Cookies() {}

    /**
     * Returns all cookies in the received order. If several cookies have the same name, the result contains only the
     * first of them, which has the most specific path.
     */
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

    /**
     * Replaces all cookies that have this name with a single cookie. If no cookie has this name, appends the cookie to
     * the existing cookies. Keeps the bytes of all other cookies.
     */
    public static void set(HttpHeaders headers, String name, String value) {
        List<String> fields = headers.getAll(HttpHeaderNames.COOKIE);
        String pair = name + "=" + value;
        boolean isSet = false;
        List<String> changed = new ArrayList<>(fields.size() + 1);
        for (String field : fields) {
            String with = with(isSet ? null : pair, name, field);
            isSet |= !values(field, name).isEmpty();
            if (with.equals(field) || !with.isBlank()) {
                changed.add(with);
            }
        }
        if (!isSet) {
            String last = changed.isEmpty() ? "" : changed.remove(changed.size() - 1);
            changed.add(last.isBlank() ? pair : last + (last.endsWith(";") ? " " : "; ") + pair);
        }
        replace(headers, changed);
    }

    private static void replace(HttpHeaders headers, List<String> fields) {
        headers.remove(HttpHeaderNames.COOKIE);
        fields.forEach(field -> headers.add(HttpHeaderNames.COOKIE, field));
    }

    /**
     * Requires that the name and the value of a cookie are valid.
     *
     * @throws IllegalArgumentException if the name is not a token, or the value has white space, quotes, commas,
     *     semicolons, backslashes or characters outside ASCII
     */
    public static void requireValid(String name, String value) {
        if (!FieldSyntax.isName(name)) {
            throw new IllegalArgumentException("the name of a cookie is not a token");
        }
        boolean good = value.chars().allMatch(c -> c > ' ' && c < 0x7f && "\",;\\".indexOf(c) < 0);
        if (!good) {
            throw new IllegalArgumentException("the value of cookie " + name + " has a forbidden character");
        }
    }

    /**
     * Returns the values of all cookies that have this name, in the received order: cookies with more specific paths
     * come first.
     */
    public static List<String> values(HttpHeaders headers, String name) {
        List<String> values = new ArrayList<>(1);
        for (String field : headers.getAll(HttpHeaderNames.COOKIE)) {
            values.addAll(values(field, name));
        }
        return values;
    }

    private static List<String> values(String field, String name) {
        List<String> values = new ArrayList<>(1);
        for (int from = 0; from <= field.length(); from = end(field, from) + 1) {
            int value = valueOf(name, field, from);
            if (value >= 0) {
                values.add(field.substring(value, end(field, from)).trim());
            }
        }
        return values;
    }

    /** Removes all cookies that have this name. */
    public static void remove(HttpHeaders headers, String name) {
        List<String> fields = headers.getAll(HttpHeaderNames.COOKIE);
        List<String> left = new ArrayList<>(fields.size());
        boolean changed = false;
        for (String field : fields) {
            String without = with(null, name, field);
            changed |= !without.equals(field);
            if (without.equals(field) || !without.isBlank()) {
                left.add(without);
            }
        }
        if (!changed) {
            return;
        }
        replace(headers, left);
    }

    /**
     * Replaces the first cookie that has this name with {@code pair}, and removes all other cookies that have this
     * name. If {@code pair} is null, removes all cookies with this name.
     */
    private static String with(@Nullable String pair, String name, String field) {
        String by = pair;
        StringBuilder left = new StringBuilder(field.length());
        boolean changed = false;
        for (int from = 0; from <= field.length(); from = end(field, from) + 1) {
            String next = field.substring(from, end(field, from));
            if (valueOf(name, field, from) >= 0) {
                changed = true;
                if (by == null) {
                    continue;
                }
                next = next.substring(0, next.length() - next.stripLeading().length()) + by;
                by = null;
            }
            boolean begins = left.isEmpty();
            // The blank after the semicolon is removed, because the pair before the semicolon was removed.
            left.append(begins ? "" : ";").append(begins && from > 0 ? next.stripLeading() : next);
        }
        return changed ? left.toString() : field;
    }

    /**
     * Returns the end index of the pair that begins at {@code from}. As in browsers, a semicolon within quotes also
     * ends the pair.
     */
    private static int end(String field, int from) {
        int semicolon = field.indexOf(';', from);
        return semicolon < 0 ? field.length() : semicolon;
    }

    /**
     * Returns the index at which the value starts if the pair at {@code from} has this name; -1 if the pair has another
     * name.
     */
    private static int valueOf(String name, String field, int from) {
        int begin = from;
        while (begin < field.length() && HttpBytes.isBlank(field.charAt(begin))) {
            begin++;
        }
        if (!field.startsWith(name, begin)) {
            return -1;
        }
        int equals = begin + name.length();
        while (equals < field.length() && HttpBytes.isBlank(field.charAt(equals))) {
            equals++;
        }
        return equals < field.length() && field.charAt(equals) == '=' ? equals + 1 : -1;
    }
}
