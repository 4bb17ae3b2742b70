package dev.lychgate.server.terminal;

import java.util.Locale;

/** Texts and numbers as they may stand in a line of a terminal. */
public final class Printable {
    private static final String CUT = "...";

    private Printable() {}

    /**
     * All but printable ASCII is written as {@code \}{@code uXXXX}: such characters may move the cursor, turn the direction
     * of writing, or take two columns, and with them a line would no longer say what it says. A backslash is doubled, so
     * that nobody can write an escape of his own.
     */
    public static String escaped(String text) {
        return ascii(text.replace("\\", "\\\\")).replace("\n", "\\u000a");
    }

    /**
     * Lines as they came, JSON most likely, which stays what it is: only what is neither printable ASCII nor the end of a line
     * is written as {@code \}{@code uXXXX}.
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

    /** At most {@code width} columns of it; that something is missing can be seen. */
    static String cut(String text, int width) {
        if (text.length() <= width) {
            return text;
        }
        return width <= CUT.length() ? text.substring(0, Math.max(0, width)) : text.substring(0, width - 3) + CUT;
    }

    /** At the left of just {@code width} columns. */
    static String left(String text, int width) {
        String cut = cut(text, width);
        return cut + " ".repeat(width - cut.length());
    }

    /** At the right of {@code width} columns, or more if it needs them: a figure is never cut. */
    static String right(String figure, int width) {
        return " ".repeat(Math.max(0, width - figure.length())) + figure;
    }

    /** With so many decimals. */
    static String figure(double value, int decimals) {
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    /** A length of time in its two largest units, as {@code 2 h 5 min}. */
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

    /** The time of the day, to the second, of {@code 2026-01-01T12:00:00.000123Z}; all of it if it is no such text. */
    static String clock(String time) {
        return time.matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d.*Z") ? time.substring(11, 19) : time;
    }
}
