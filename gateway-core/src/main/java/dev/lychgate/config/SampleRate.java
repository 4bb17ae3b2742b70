package dev.lychgate.config;

import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How many of all are taken, written {@code 5%} or {@code 0.01%}. @param fraction 0 to 1 */
public record SampleRate(double fraction) {
    public static final SampleRate ALL = new SampleRate(1);

    private static final Pattern FORM = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,4})?)%|0");

    public SampleRate {
        Expect.that(fraction >= 0 && fraction <= 1, "sample", 100 * fraction + "%", "0% to 100%");
    }

    /**
     * Reads {@code 5%}, {@code 0.01%}, or a bare {@code 0}.
     *
     * @throws IllegalArgumentException with what was expected
     */
    public static SampleRate parse(String text) {
        Matcher matcher = FORM.matcher(text);
        BigDecimal percent = BigDecimal.ZERO;
        boolean valid = matcher.matches();
        if (valid && matcher.group(1) != null) {
            percent = new BigDecimal(matcher.group(1));
            valid = percent.compareTo(BigDecimal.valueOf(100)) <= 0;
        }
        if (!valid) {
            throw new IllegalArgumentException("0% to 100%, such as 5% or 0.01%");
        }
        return new SampleRate(percent.movePointLeft(2).doubleValue());
    }

    @Override
    public String toString() {
        return BigDecimal.valueOf(fraction)
                        .movePointRight(2)
                        .stripTrailingZeros()
                        .toPlainString() + "%";
    }
}
