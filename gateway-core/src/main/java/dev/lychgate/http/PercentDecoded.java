package dev.lychgate.http;

import java.nio.charset.StandardCharsets;

/**
 * Parts of a query with percent-encodings taken as UTF-8. A percent sign without two hex digits behind it stands for
 * itself, since the query is passed on as it is and nobody promised that it is well-formed.
 */
public final class PercentDecoded {
    private PercentDecoded() {}

    public static boolean equals(String query, int from, int to, String expected) {
        // Plain names, nearly all of them, are compared where they stand.
        return isPlain(query, from, to)
                ? to - from == expected.length() && query.startsWith(expected, from)
                : text(query, from, to).equals(expected);
    }

    public static String text(String query, int from, int to) {
        if (isPlain(query, from, to)) {
            return query.substring(from, to);
        }
        byte[] bytes = new byte[to - from];
        int length = 0;
        for (int i = from; i < to; i++) {
            char c = query.charAt(i);
            int octet = c == '%' && i + 2 < to ? octet(query, i + 1) : -1;
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

    private static int octet(String query, int at) {
        int high = hex(query.charAt(at));
        int low = hex(query.charAt(at + 1));
        return high < 0 || low < 0 ? -1 : high << 4 | low;
    }

    private static int hex(char c) {
        return c < 128 ? Character.digit(c, 16) : -1;
    }
}
