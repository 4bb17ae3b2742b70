package dev.lychgate.config;

import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A sample rate, such as {@code 100%}, {@code 10%} or {@code 0.1%}; 0 = nothing is sampled. Samples are chosen at
 * random.
 *
 * @param fraction 0 to 1
 */
public record SampleRate(double fraction) {
    private static final Pattern FORM = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,4})?)%|0");

    /** The sample rate 100%. */
    public static final SampleRate ALL = new SampleRate(1);

    public SampleRate {
        Expect.that(fraction >= 0 && fraction <= 1, "sample", fraction, "0% to 100%");
    }

    /**
     * Reads {@code 10%}, {@code 0.1%} or a bare {@code 0}.
     *
     * @throws IllegalArgumentException if the text is malformed; the message states the expected form
     */
    public static SampleRate parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (matcher.matches()) {
            String digits = matcher.group(1);
            // Divides in decimal, because logs contain the rate, and 0.1% is not an exact binary fraction.
            double fraction =
                    digits == null ? 0 : new BigDecimal(digits).movePointLeft(2).doubleValue();
            if (fraction <= 1) {
                return new SampleRate(fraction);
            }
        }
        throw new IllegalArgumentException("0% to 100%, such as 10% or 0.1%");
    }

    /** Returns whether the rate is 100%. */
    public boolean isAll() {
        return fraction >= 1;
    }

    @Override
    public String toString() {
        return BigDecimal.valueOf(fraction)
                        .movePointRight(2)
                        .stripTrailingZeros()
                        .toPlainString() + "%";
    }
}
