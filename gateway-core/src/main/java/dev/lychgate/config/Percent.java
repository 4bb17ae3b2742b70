package dev.lychgate.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A share in whole percent, written {@code 70%}.
 *
 * @param value 0 or more
 */
public record Percent(int value) {
    private static final Pattern FORM = Pattern.compile("(\\d{1,4})%|0");

    public Percent {
        Expect.that(value >= 0, "percent", value, ">= 0%");
    }

    /**
     * Reads {@code 70%}, or a bare {@code 0}.
     *
     * @throws IllegalArgumentException if the text is malformed; the message states the expected form
     */
    public static Percent parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("a whole number of percent, such as 70%");
        }
        String digits = matcher.group(1);
        return new Percent(digits == null ? 0 : Integer.parseInt(digits));
    }

    /** Returns the share as a fraction, such as 1 for 100%. */
    public double fraction() {
        return value / 100.0;
    }

    @Override
    public String toString() {
        return value + "%";
    }
}
