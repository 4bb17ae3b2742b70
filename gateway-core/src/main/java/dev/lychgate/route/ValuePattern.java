package dev.lychgate.route;

import com.google.re2j.Pattern;
import dev.lychgate.config.RegularExpression;

/**
 * The required value of a header field, cookie, query parameter or claim: an exact string, {@code *} for any value, or
 * {@code regex:...} for an expression that must match the whole value. Regular expressions have the syntax of RE2, so
 * matching takes at most linear time.
 */
sealed interface ValuePattern {
    String REGEX = "regex:";

    boolean matches(CharSequence value);

    /**
     * Returns whether this pattern certainly matches all values that {@code other} matches. The result false may also
     * mean that the two patterns cannot be compared.
     */
    default boolean covers(ValuePattern other) {
        return this instanceof Any || equals(other) || (other instanceof Exact exact && matches(exact.expected()));
    }

    /**
     * Parses an exact text, {@code *} or {@code regex:...}.
     *
     * @throws IllegalArgumentException if {@code text} is malformed; the message states the expected form
     */
    static ValuePattern parse(String text) {
        if (text.equals("*")) {
            return new Any();
        }
        return text.startsWith(REGEX) ? new Regex(compile(text)) : new Exact(text);
    }

    /**
     * Compiles the expression after {@code regex:}.
     *
     * @throws IllegalArgumentException if {@code text} is malformed; the message states the expected form
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
