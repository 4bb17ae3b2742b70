package dev.lychgate.http;

import java.util.Locale;

/** Text inside a JSON string, in ASCII alone: fit for a header field and a log line, too. */
public final class JsonText {
    private JsonText() {}

    /** {@code text} with everything escaped that is not printable ASCII; the same instance where nothing is to be done. */
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
