package dev.lychgate.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A share in whole hundredths, written {@code 20%}.
 *
 * @param percent 0 to 100
 */
public record Percentage(int percent) {
    private static final Pattern FORM = Pattern.compile("(\\d{1,3})%");

    public Percentage {
        Expect.that(percent >= 0 && percent <= 100, "percent", percent + "%", "0% to 100%");
    }

    /**
     * Reads a share.
     *
     * @throws IllegalArgumentException if the text is not a whole number from 0 to 100 with a per cent sign
     */
    public static Percentage parse(String text) {
        Matcher m = FORM.matcher(text);
        if (!m.matches() || Integer.parseInt(m.group(1)) > 100) {
            throw new IllegalArgumentException("a share from 0% to 100%");
        }
        return new Percentage(Integer.parseInt(m.group(1)));
    }

    /** The share as a number from 0 to 1. */
    public double fraction() {
        return percent / 100.0;
    }

    @Override
    public String toString() {
        return percent + "%";
    }
}
