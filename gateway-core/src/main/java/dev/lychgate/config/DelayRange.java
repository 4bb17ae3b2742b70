package dev.lychgate.config;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A delay of fixed length, written {@code 200ms}, or of random length, written {@code 100ms-300ms}.
 *
 * @param least the shortest delay, at least 1 ms
 * @param most the longest delay, at most 1 h; equal to {@code least} for a delay of fixed length
 */
public record DelayRange(Duration least, Duration most) {
    private static final String ONE = "\\d{1,9}(?:ms|s|m|h|d)";
    private static final Pattern TEXT = Pattern.compile("(" + ONE + ")(?:-(" + ONE + "))?");
    private static final String EXPECTED = "a duration such as 200ms, or a range such as 100ms-300ms; from 1ms to 1h";

    static final Form<DelayRange> FORM = Form.text("duration, or range of durations", DelayRange::parse)
            .looking(ONE.replace("?:", "") + "(-" + ONE.replace("?:", "") + ")?");

    public DelayRange {
        boolean inRange = least.toMillis() >= 1 && most.compareTo(least) >= 0;
        Expect.that(inRange && most.compareTo(Duration.ofHours(1)) <= 0, "delay", print(least, most), EXPECTED);
    }

    /**
     * Reads a delay such as {@code 200ms} or {@code 100ms-300ms}.
     *
     * @throws IllegalArgumentException if the text is malformed; the message states the expected form
     */
    public static DelayRange parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(EXPECTED);
        }
        Duration least = Durations.parse(matcher.group(1));
        try {
            return new DelayRange(least, matcher.group(2) == null ? least : Durations.parse(matcher.group(2)));
        } catch (ConfigException e) {
            throw new IllegalArgumentException(EXPECTED, e);
        }
    }

    private static String print(Duration least, Duration most) {
        return least.equals(most) ? Durations.print(least) : Durations.print(least) + "-" + Durations.print(most);
    }

    @Override
    public String toString() {
        return print(least, most);
    }
}
