package dev.lychgate.config;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads and writes durations in settings: {@code 250ms}, {@code 4s}, {@code 10m}, {@code 1h}, {@code 0}. */
public final class Durations {
    private static final Pattern FORM = Pattern.compile("(-?\\d{1,9})(ms|s|m|h|d)");

    /**
     * The longest duration, in days: a century. The nanoseconds of three centuries would exceed the range of a long.
     */
    private static final int LONGEST_DAYS = 36_500;

    private Durations() {}

    /**
     * Reads a duration such as {@code 250ms}, or {@code 0}.
     *
     * @throws IllegalArgumentException if the text is neither 0 nor a whole number with one of the units ms, s, m, h
     *     and d, or if the duration is longer than 36500 days
     */
    public static Duration parse(String text) {
        if (text.equals("0")) {
            return Duration.ZERO;
        }
        Matcher m = FORM.matcher(text);
        if (!m.matches()) {
            throw new IllegalArgumentException("a duration such as 250ms, 4s, 10m or 1h");
        }
        long n = Long.parseLong(m.group(1));
        Duration duration = switch (m.group(2)) {
            case "ms" -> Duration.ofMillis(n);
            case "s" -> Duration.ofSeconds(n);
            case "m" -> Duration.ofMinutes(n);
            case "h" -> Duration.ofHours(n);
            default -> Duration.ofDays(n);
        };
        if (duration.abs().compareTo(Duration.ofDays(LONGEST_DAYS)) > 0) {
            throw new IllegalArgumentException("a duration of at most " + LONGEST_DAYS + "d");
        }
        return duration;
    }

    /**
     * Reads a duration in the form of {@link #parse} or in microseconds: {@code 250us}.
     *
     * @throws IllegalArgumentException if the text has neither form
     */
    public static Duration parsePrecise(String text) {
        if (text.matches("\\d{1,9}us")) {
            return Duration.ofNanos(1000L * Integer.parseInt(text.substring(0, text.length() - 2)));
        }
        return parse(text);
    }

    /**
     * Writes a duration in the form that {@link #parsePrecise} reads. Uses the largest unit, up to hours, that
     * represents the duration exactly.
     */
    public static String print(Duration d) {
        long micros = d.toNanos() / 1000;
        if (micros % 1000 != 0) {
            return micros + "us";
        }
        long ms = micros / 1000;
        if (ms == 0) {
            return "0";
        }
        if (ms % 3_600_000 == 0) {
            return ms / 3_600_000 + "h";
        }
        if (ms % 60_000 == 0) {
            return ms / 60_000 + "m";
        }
        return ms % 1000 == 0 ? ms / 1000 + "s" : ms + "ms";
    }
}
