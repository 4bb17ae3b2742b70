package dev.lychgate.config;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A rate: {@code 100/s}, {@code 600/m}, {@code 10000/h}, {@code 1000000/d} or {@code 5/10s}.
 *
 * @param units the number of units per period, at least 1
 * @param per the period, at least 1 s
 */
public record Rate(long units, Duration per) {
    private static final Pattern FORM = Pattern.compile("([1-9]\\d{0,11})/(?:([1-9]\\d{0,3}))?([smhd])");
    private static final String EXPECTED = "a rate, such as 100/s, 600/m, 10000/h, 1000000/d or 5/10s";
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    public Rate {
        boolean whole = per.equals(Duration.ofSeconds(per.toSeconds()));
        Expect.that(units >= 1 && whole && per.compareTo(Duration.ofSeconds(1)) >= 0, "limit", units, EXPECTED);
    }

    /**
     * Reads a rate such as {@code 100/s}.
     *
     * @throws IllegalArgumentException if the text is malformed; the message states the expected form
     */
    public static Rate parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(EXPECTED);
        }
        long count = matcher.group(2) == null ? 1 : Long.parseLong(matcher.group(2));
        long seconds = switch (matcher.group(3)) {
            case "s" -> 1;
            case "m" -> 60;
            case "h" -> 3600;
            default -> 86_400;
        };
        return new Rate(Long.parseLong(matcher.group(1)), Duration.ofSeconds(count * seconds));
    }

    /** Returns the time in which one unit becomes available, in nanoseconds. */
    public double interval() {
        return (double) per.toSeconds() * NANOS_PER_SECOND / units;
    }

    @Override
    public String toString() {
        long seconds = per.toSeconds();
        String[] names = {"d", "h", "m", "s"};
        long[] lengths = {86_400, 3600, 60, 1};
        int i = 0;
        while (seconds % lengths[i] != 0) {
            i++;
        }
        long count = seconds / lengths[i];
        return units + "/" + (count == 1 ? "" : Long.toString(count)) + names[i];
    }
}
