package dev.lychgate.config;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

/**
 * Compiles the regular expressions of a configuration. They are RE2, so that matching takes linear time. Compiling is
 * another matter: each nested repetition multiplies the program, so that forty characters exhaust any heap. The size is
 * therefore estimated from the text and bounded before RE2 sees the expression.
 *
 * <p>The bound also limits the stack, because RE2/J compiles and matches optional parts by recursion: an expression
 * within it needs less than 256 KiB.
 *
 * @see <a href="https://github.com/google/re2/wiki/Syntax">RE2 syntax</a>
 */
public final class RegularExpression {
    /** Largest program that one expression may compile to, in instructions of about 50 bytes. */
    public static final int MAX_SIZE = 2_000;

    private RegularExpression() {}

    /**
     * Compiles an expression.
     *
     * @throws IllegalArgumentException with the expected syntax or bound; in the latter case nothing has been compiled
     */
    public static Pattern compile(String text) {
        requireBounded(text);
        try {
            return Pattern.compile(text);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException("an RE2 expression; " + e.getDescription(), e);
        }
    }

    /** The estimated number of instructions, never less than what RE2 compiles; it costs one pass over the text. */
    public static long size(String text) {
        return new RegexEstimate(text).size();
    }

    private static void requireBounded(String text) {
        RegexEstimate estimate = new RegexEstimate(text);
        if (estimate.foldsWithoutEnd()) {
            // https://github.com/google/re2j/issues/168
            throw new IllegalArgumentException(
                    "an RE2 expression without the characters U+1C80 to U+1C88 where it ignores case");
        }
        if (estimate.size() > MAX_SIZE) {
            throw new IllegalArgumentException(
                    "an RE2 expression of at most " + MAX_SIZE + " instructions; this one has "
                            + (estimate.size() == RegexEstimate.MANY ? "more than " : "about ")
                            + estimate.size());
        }
    }
}
