package dev.lychgate.server.accesslog;

import java.nio.charset.StandardCharsets;

/**
 * Escapes untrusted text for a log line: control characters, quotes, backslashes and all characters outside ASCII.
 * Escaped text cannot end a field, end the line, or control a terminal.
 */
final class Escapes {
    private static final char[] LOWER = "0123456789abcdef".toCharArray();
    private static final char[] UPPER = "0123456789ABCDEF".toCharArray();

    /** Characters that need no escape in JSON or in the combined format. */
    private static final boolean[] PLAIN = new boolean[0x7f];

    static {
        for (char c = 0x20; c < PLAIN.length; c++) {
            PLAIN[c] = c != '"' && c != '\\';
        }
    }

    private Escapes() {}

    /** Appends {@code text} as in a JSON string, with {@code \}{@code u00XX} escapes and without the quotes. */
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

    /** Appends {@code text}, escaped as by nginx and httpd with one {@code \xXX} escape per byte. */
    static void combined(LineBuffer line, String text) {
        int next = line.appendWhile(PLAIN, text, 0);
        while (next < text.length()) {
            char c = text.charAt(next);
            int end = next + 1;
            if (c <= 0xff) {
                // A header field has one char per byte, so the char is the received byte.
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
