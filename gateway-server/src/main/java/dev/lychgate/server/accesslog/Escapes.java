package dev.lychgate.server.accesslog;

import java.nio.charset.StandardCharsets;

/**
 * Makes text from outside safe to stand in a line: control characters, quotes, backslashes and everything outside ASCII
 * are written as escapes, so that nobody can end a field, end the line, or steer a terminal that shows it.
 */
final class Escapes {
    private static final char[] LOWER = "0123456789abcdef".toCharArray();
    private static final char[] UPPER = "0123456789ABCDEF".toCharArray();

    private Escapes() {}

    /** As JSON has it, {@code \}{@code u00XX}: the quoted text of {@code text}, without the quotes. */
    static void json(StringBuilder line, String text) {
        if (isPlain(text)) {
            // As nearly all are: copied in one go.
            line.append(text);
            return;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isPlain(c)) {
                line.append(c);
            } else {
                line.append("\\u")
                        .append(LOWER[c >>> 12])
                        .append(LOWER[c >>> 8 & 15])
                        .append(LOWER[c >>> 4 & 15])
                        .append(LOWER[c & 15]);
            }
        }
    }

    /** As nginx and httpd have it, {@code \xXX}; one escape per byte. */
    static void combined(StringBuilder line, String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isPlain(c)) {
                line.append(c);
            } else if (c <= 0xff) {
                // Header fields come as one char per byte: this is the byte that was sent.
                hex(line, c);
            } else {
                int end = Character.isHighSurrogate(c) && i + 1 < text.length() ? i + 2 : i + 1;
                for (byte b : text.substring(i, end).getBytes(StandardCharsets.UTF_8)) {
                    hex(line, b & 0xff);
                }
                i = end - 1;
            }
        }
    }

    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isPlain(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isPlain(char c) {
        return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
    }

    private static void hex(StringBuilder line, int b) {
        line.append("\\x").append(UPPER[b >>> 4]).append(UPPER[b & 15]);
    }
}
