package dev.lychgate.config;

import java.math.BigDecimal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The maximum by which a figure of the candidate, such as a latency, may exceed the corresponding figure of the stable
 * generation. Examples are {@code +1%} and {@code +20ms}. The sign may be omitted.
 *
 * @param <T> the type of the difference
 * @param most the maximum difference; a greater difference aborts the rollout; null = the figure is not compared
 */
public record Tolerance<T>(@Nullable T most) {
    private static final String OFF = "off";
    private static final double LEAST_SHARE = 0.0001;
    private static final double MOST_SHARE = 0.5;
    private static final Duration LONGEST = Duration.ofHours(1);

    /** The form in the file for a difference of shares, in percentage points. */
    static final Form<Tolerance<SampleRate>> SHARE =
            Form.text("`off` or share", Tolerance::share).looking("(off|[+]?[0-9]{1,2}([.][0-9]{1,4})?%)");

    /** The form in the file for a difference of durations. */
    static final Form<Tolerance<Duration>> LATENCY = Form.text("`off` or latency", Tolerance::latency)
            .printed(tolerance -> tolerance.most == null ? OFF : "+" + Durations.print(tolerance.most))
            .looking("(off|[+]?[0-9]{1,9}(ms|s|m|h))");

    /** Returns a tolerance without a maximum: the figure is not compared. */
    public static <T> Tolerance<T> off() {
        return new Tolerance<>(null);
    }

    /** Returns whether the figure is not compared. */
    public boolean isOff() {
        return most == null;
    }

    /**
     * Reads {@code +1%}, {@code 0.5%} or {@code off}.
     *
     * @throws IllegalArgumentException if the text is malformed; the message states the expected form
     */
    public static Tolerance<SampleRate> share(String text) {
        if (text.equals(OFF)) {
            return off();
        }
        String digits = text.replaceFirst("^\\+", "");
        if (digits.matches("\\d{1,2}(\\.\\d{1,4})?%")) {
            BigDecimal percent = new BigDecimal(digits.substring(0, digits.length() - 1));
            double share = percent.movePointLeft(2).doubleValue();
            if (share >= LEAST_SHARE && share <= MOST_SHARE) {
                return new Tolerance<>(new SampleRate(share));
            }
        }
        throw new IllegalArgumentException("off, or +0.01% to +50%, such as +1% or 0.5%");
    }

    /**
     * Reads {@code +20ms}, {@code 1s} or {@code off}.
     *
     * @throws IllegalArgumentException if the text is malformed; the message states the expected form
     */
    public static Tolerance<Duration> latency(String text) {
        if (text.equals(OFF)) {
            return off();
        }
        String digits = text.replaceFirst("^\\+", "");
        if (digits.matches("\\d{1,9}(ms|s|m|h)")) {
            Duration most = Durations.parse(digits);
            if (!most.isZero() && most.compareTo(LONGEST) <= 0) {
                return new Tolerance<>(most);
            }
        }
        throw new IllegalArgumentException("off, or +1ms to +1h, such as +20ms");
    }

    /**
     * Returns a tolerance of shares in the form in which a file contains it. For a tolerance of latencies, {@link
     * #LATENCY} writes the text.
     */
    @Override
    public String toString() {
        return most == null ? OFF : "+" + most;
    }
}
