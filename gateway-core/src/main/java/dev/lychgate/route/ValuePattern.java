package dev.lychgate.route;

import com.google.re2j.Pattern;
import dev.lychgate.config.RegularExpression;

/**
 * Required value of a header or query parameter: an exact string, {@code *} for any, or {@code regex:...} for the whole
 * value. Regular expressions have the syntax of RE2, so matching takes at most linear time.
 */
sealed interface ValuePattern {
    String REGEX = "regex:";

    boolean matches(CharSequence value);

    /** Returns whether this certainly matches all values that {@code other} matches. */
    default boolean covers(ValuePattern other) {
        return this instanceof Any || equals(other) || (other instanceof Exact exact && matches(exact.expected()));
    }

    /** @throws IllegalArgumentException with the expected form */
    static ValuePattern parse(String text) {
        if (text.equals("*")) {
            return new Any();
        }
        return text.startsWith(REGEX) ? new Regex(compile(text)) : new Exact(text);
    }

    /**
     * Compiles the expression after {@code regex:}.
     *
     * @throws IllegalArgumentException with the expected form
     */
    static Pattern compile(String text) {
        return RegularExpression.compile(text.substring(REGEX.length()));
    }

    record Any() implements ValuePattern {
        @Override
        public boolean matches(CharSequence value) {
            return true;
        }
    }

    record Exact(String expected) implements ValuePattern {
        @Override
        public boolean matches(CharSequence value) {
            return expected.contentEquals(value);
        }
    }

    record Regex(Pattern pattern) implements ValuePattern {
        @Override
        public boolean matches(CharSequence value) {
            return pattern.matches(value.toString());
        }
    }
}
