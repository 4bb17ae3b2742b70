package dev.lychgate.server.accesslog;

import java.nio.charset.StandardCharsets;

/**
 * Makes text from outside safe to stand in a line: control characters, quotes, backslashes and everything outside ASCII
 * are written as escapes, so that nobody can end a field, end the line, or steer a terminal that shows it.
 */
final class Escapes {
    private static final char[] LOWER = "0123456789abcdef".toCharArray();
    private static final char[] UPPER = "0123456789ABCDEF".toCharArray();

    /** What stands for itself, in either form. */
    private static final boolean[] PLAIN = new boolean[0x7f];

    static {
        for (char c = 0x20; c < PLAIN.length; c++) {
            PLAIN[c] = c != '"' && c != '\\';
        }
    }

    private Escapes() {}

    /** As JSON has it, {@code \}{@code u00XX}: the quoted text of {@code text}, without the quotes. */
    static void json(LineBuffer line, String text) {
        int next = line.appendWhile(PLAIN, text, 0);
        while (next < text.length()) {
            char c = text.charAt(next);
            line.append('\\').append('u');
            for (int shift = 12; shift >= 0; shift -= 4) {
                line.append(LOWER[c >>> shift & 15]);
            }
            next = line.appendWhile(PLAIN, text, next + 1);
        }
    }

    /** As nginx and httpd have it, {@code \xXX}; one escape per byte. */
    static void combined(LineBuffer line, String text) {
        int next = line.appendWhile(PLAIN, text, 0);
        while (next < text.length()) {
            char c = text.charAt(next);
            int end = next + 1;
            if (c <= 0xff) {
                // Header fields come as one char per byte: this is the byte that was sent.
                hex(line, c);
            } else {
                end = Character.isHighSurrogate(c) && end < text.length() ? end + 1 : end;
                for (byte b : text.substring(next, end).getBytes(StandardCharsets.UTF_8)) {
                    hex(line, b & 0xff);
                }
            }
            next = line.appendWhile(PLAIN, text, end);
        }
    }

    private static void hex(LineBuffer line, int b) {
        line.append('\\').append('x').append(UPPER[b >>> 4]).append(UPPER[b & 15]);
    }
}
