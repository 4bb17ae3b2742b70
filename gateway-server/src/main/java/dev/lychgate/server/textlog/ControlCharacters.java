package dev.lychgate.server.textlog;

import org.jspecify.annotations.Nullable;

/**
 * Escapes text for a log line. Line breaks become {@code " | "}. Other characters that are not visible are written like
 * {@code \}{@code u001b}: control characters (C0, DEL and C1), characters that change the writing direction, and other
 * invisible characters. Letters of all languages are kept.
 */
final class ControlCharacters {
    private static final char[] HEX = "0123456789abcdef".toCharArray();

    private ControlCharacters() {}

    /** Returns the escaped text; the same instance if there is nothing to escape. */
    static @Nullable String escaped(@Nullable String text) {
        if (text == null) {
            return null;
        }
        for (int i = 0; i < text.length(); i++) {
            if (!isPlain(text.charAt(i))) {
                return escapedFrom(text, i);
            }
        }
        return text;
    }

    private static String escapedFrom(String text, int first) {
        StringBuilder line = new StringBuilder(text.length() + 16).append(text, 0, first);
        for (int i = first; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isPlain(c)) {
                line.append(c);
            } else if (!isBreak(c)) {
                line.append("\\u")
                        .append(HEX[c >>> 12])
                        .append(HEX[c >>> 8 & 15])
                        .append(HEX[c >>> 4 & 15])
                        .append(HEX[c & 15]);
            } else if (i == 0 || !isBreak(text.charAt(i - 1))) {
                line.append(" | ");
            }
        }
        return line.toString();
    }

    private static boolean isBreak(char c) {
        return c == '\r' || c == '\n';
    }

    private static boolean isPlain(char c) {
        if (c < 0x7f) {
            return c >= ' ';
        }
        int type = Character.getType(c);
        return type != Character.CONTROL
                && type != Character.FORMAT
                && type != Character.LINE_SEPARATOR
                && type != Character.PARAGRAPH_SEPARATOR;
    }
}
