package dev.lychgate.http;

import java.util.Locale;

/**
 * Escapes text for a JSON string. The result contains only printable ASCII, so it is also safe in header fields and log
 * lines.
 */
public final class JsonText {
    private JsonText() {}

    /**
     * Escapes quotes, backslashes and all characters of {@code text} except printable ASCII; returns the same instance
     * if there is nothing to escape.
     */
    public static String escape(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isPlain(text.charAt(i))) {
                return escapeFrom(text, i);
            }
        }
        return text;
    }

    private static String escapeFrom(String text, int first) {
        StringBuilder escaped = new StringBuilder(text.length() + 16).append(text, 0, first);
        for (int i = first; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isPlain(c)) {
                escaped.append(c);
            } else {
                escaped.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            }
        }
        return escaped.toString();
    }

    private static boolean isPlain(char c) {
        return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
    }
}
