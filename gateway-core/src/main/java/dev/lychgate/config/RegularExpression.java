package dev.lychgate.config;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

/**
 * Compiles the regular expressions of a configuration. The expressions have RE2 syntax and semantics, so matching takes
 * linear time. However, each nested repetition multiplies the size of the compiled program, so an expression of forty
 * characters can exhaust any heap. The size is therefore estimated from the text and limited before RE2 compiles the
 * expression.
 *
 * <p>The limit also bounds the stack, because RE2/J compiles and matches optional parts by recursion: an expression
 * within the limit needs less than 256 KiB.
 *
 * @see <a href="https://github.com/google/re2/wiki/Syntax">RE2 syntax</a>
 */
public final class RegularExpression {
    /** The maximum size of a compiled expression, in instructions. An instruction takes about 50 bytes. */
    public static final int MAX_SIZE = 2_000;

    private RegularExpression() {}

    /**
     * Compiles an expression in RE2 syntax.
     *
     * @throws IllegalArgumentException if the syntax is wrong or the limit is exceeded; the message states the expected
     *     syntax or the limit. If the limit is exceeded, the expression has not been compiled
     */
    public static Pattern compile(String text) {
        requireBounded(text);
        try {
            return Pattern.compile(text);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException("an RE2 expression; " + e.getDescription(), e);
        }
    }

    /**
     * Returns an upper bound of the number of instructions to which RE2 would compile {@code text}. Does not compile
     * the expression.
     */
    public static long size(String text) {
        return new RegexEstimate(text).size();
    }

    private static void requireBounded(String text) {
        RegexEstimate estimate = new RegexEstimate(text);
        if (estimate.foldsWithoutEnd()) {
            // https://github.com/google/re2j/issues/168
            throw new IllegalArgumentException(
                    "an RE2 expression that does not combine (?i) with the characters U+1C80 to U+1C88");
        }
        if (estimate.size() > MAX_SIZE) {
            throw new IllegalArgumentException(
                    "an RE2 expression of at most " + MAX_SIZE + " instructions; this one has "
                            + (estimate.size() == RegexEstimate.MANY ? "more than " : "about ")
                            + estimate.size());
        }
    }
}
