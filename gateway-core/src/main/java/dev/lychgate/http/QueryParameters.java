package dev.lychgate.http;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads and changes query parameters, such as {@code a=1&b=2}. Names and values are decoded as forms encode them: they
 * are percent-encoded UTF-8, and a plus sign means a space. A percent sign without two hex digits after it is kept,
 * because queries are forwarded unchanged and need not be well-formed.
 *
 * @see <a href="https://url.spec.whatwg.org/#urlencoded-parsing">URL Standard, application/x-www-form-urlencoded
 *     parsing</a>
 */
public final class QueryParameters {
    private QueryParameters() {}

    /**
     * Returns all values of the parameter {@code name}, in the order of the query. The value of a parameter without an
     * equals sign is empty.
     */
    public static List<String> of(@Nullable String query, String name) {
        List<String> values = new ArrayList<>();
        anyMatch(query, name, value -> !values.add(value));
        return values;
    }

    /** Returns all parameters by name, in the order of their first values. */
    public static Map<String, List<String>> all(@Nullable String query) {
        Map<String, List<String>> all = new LinkedHashMap<>();
        if (query != null) {
            for (String pair : query.split("&", -1)) {
                if (!pair.isEmpty()) {
                    int equals = pair.indexOf('=');
                    int end = equals < 0 ? pair.length() : equals;
                    all.computeIfAbsent(text(pair, 0, end), name -> new ArrayList<>())
                            .add(text(pair, Math.min(end + 1, pair.length()), pair.length()));
                }
            }
        }
        return all;
    }

    /**
     * Replaces the values of one parameter, and keeps the bytes of all other parameters.
     *
     * @param values the decoded values, which take the position of the first value of {@code name}. If the query has no
     *     such parameter, the values are appended. An empty list removes the parameter
     * @return the encoded query; null if no parameter is left
     */
    public static @Nullable String with(@Nullable String query, String name, List<String> values) {
        if (values.isEmpty() && of(query, name).isEmpty()) {
            return query;
        }
        List<String> pairs = new ArrayList<>();
        List<String> wanted = values.stream()
                .map(value -> encoded(name) + "=" + encoded(value))
                .toList();
        boolean placed = false;
        for (String pair : query == null || query.isEmpty() ? new String[0] : query.split("&", -1)) {
            if (of(pair, name).isEmpty()) {
                pairs.add(pair);
            } else if (!placed) {
                placed = true;
                pairs.addAll(wanted);
            }
        }
        if (!placed) {
            pairs.addAll(wanted);
        }
        return pairs.isEmpty() ? null : String.join("&", pairs);
    }

    /** Percent-encodes {@code text} as UTF-8, for a parameter or a segment of a path. */
    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Returns whether at least one value of the parameter {@code name} satisfies {@code condition}. */
    public static boolean anyMatch(@Nullable String query, String name, Predicate<? super String> condition) {
        int from = 0;
        while (query != null && from < query.length()) {
            int and = query.indexOf('&', from);
            int end = and < 0 ? query.length() : and;
            int equals = query.indexOf('=', from);
            int nameEnd = equals < 0 || equals > end ? end : equals;
            if (end > from
                    && equals(query, from, nameEnd, name)
                    && condition.test(text(query, Math.min(nameEnd + 1, end), end))) {
                return true;
            }
            from = end + 1;
        }
        return false;
    }

    private static boolean equals(String query, int from, int to, String expected) {
        // Nearly all names are plain, and plain names are compared without a copy.
        return isPlain(query, from, to)
                ? to - from == expected.length() && query.startsWith(expected, from)
                : text(query, from, to).equals(expected);
    }

    private static String text(String query, int from, int to) {
        if (isPlain(query, from, to)) {
            return query.substring(from, to);
        }
        byte[] bytes = new byte[to - from];
        int length = 0;
        for (int i = from; i < to; i++) {
            char c = query.charAt(i);
            int octet = c == '%' && i + 2 < to ? PathBytes.encodedAt(query, i) : -1;
            if (octet >= 0) {
                bytes[length++] = (byte) octet;
                i += 2;
            } else {
                bytes[length++] = (byte) (c == '+' ? ' ' : c);
            }
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    private static boolean isPlain(String query, int from, int to) {
        for (int i = from; i < to; i++) {
            char c = query.charAt(i);
            if (c == '%' || c == '+' || c > 127) {
                return false;
            }
        }
        return true;
    }
}
