package dev.lychgate.server.terminal;

import java.util.Locale;

/** Formats texts and numbers for a line of a terminal. */
public final class Printable {
    private static final String CUT = "...";

    private Printable() {}

    /**
     * Writes each character that is not printable ASCII as {@code \}{@code uXXXX}. Such characters may move the cursor,
     * change the writing direction, or take two columns, and thus falsify a line. A backslash is doubled, so that
     * untrusted text cannot imitate such an escape.
     */
    public static String escaped(String text) {
        return ascii(text.replace("\\", "\\\\")).replace("\n", "\\u000a");
    }

    /**
     * Writes each character that is neither printable ASCII nor a line feed as {@code \}{@code uXXXX}. Backslashes stay
     * unchanged, so that JSON stays valid.
     */
    public static String ascii(String lines) {
        StringBuilder text = new StringBuilder(lines.length());
        for (int i = 0; i < lines.length(); i++) {
            char c = lines.charAt(i);
            if (c == '\n' || (c >= 0x20 && c < 0x7f)) {
                text.append(c);
            } else {
                text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            }
        }
        return text.toString();
    }

    /** Truncates a text to at most {@code width} columns, and marks the truncation with {@code ...}. */
    static String cut(String text, int width) {
        if (text.length() <= width) {
            return text;
        }
        return width <= CUT.length() ? text.substring(0, Math.max(0, width)) : text.substring(0, width - 3) + CUT;
    }

    /** Returns a text of exactly {@code width} columns: truncated, or padded with blanks on the right. */
    static String left(String text, int width) {
        String cut = cut(text, width);
        return cut + " ".repeat(width - cut.length());
    }

    /**
     * Returns a number padded with blanks on the left to {@code width} columns. A longer number takes more columns,
     * because numbers are never truncated.
     */
    static String right(String figure, int width) {
        return " ".repeat(Math.max(0, width - figure.length())) + figure;
    }

    /** Formats a number with {@code decimals} decimal places. */
    static String figure(double value, int decimals) {
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    /** Formats a duration in its two largest units, such as {@code 2 h 5 min}. */
    static String duration(long seconds) {
        if (seconds < 60) {
            return seconds + " s";
        }
        if (seconds < 3600) {
            return seconds / 60 + " min " + seconds % 60 + " s";
        }
        if (seconds < 86_400) {
            return seconds / 3600 + " h " + seconds / 60 % 60 + " min";
        }
        return seconds / 86_400 + " d " + seconds / 3600 % 24 + " h";
    }

    /**
     * Returns the time of day, to the second, of a time such as {@code 2026-01-01T12:00:00.000123Z}. Returns any other
     * text unchanged.
     */
    static String clock(String time) {
        return time.matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d.*Z") ? time.substring(11, 19) : time;
    }
}
