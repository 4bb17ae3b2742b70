package dev.lychgate.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a query, {@code a=1&b=2}, percent-decoded as UTF-8; a plus sign is a plus sign. A percent sign without two
 * hex digits behind it stands for itself, since the query is passed on as it is and need not be well-formed.
 */
public final class QueryParameters {
    private QueryParameters() {}

    /** All values of {@code name}, in order; a parameter without an equals sign has the empty value. */
    public static List<String> of(@Nullable String query, String name) {
        List<String> values = new ArrayList<>();
        anyMatch(query, name, value -> !values.add(value));
        return values;
    }

    /** Whether a value of {@code name} satisfies {@code condition}. */
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
        // Plain names, nearly all of them, are compared where they stand.
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
                bytes[length++] = (byte) c;
            }
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    private static boolean isPlain(String query, int from, int to) {
        for (int i = from; i < to; i++) {
            char c = query.charAt(i);
            if (c == '%' || c > 127) {
                return false;
            }
        }
        return true;
    }
}
