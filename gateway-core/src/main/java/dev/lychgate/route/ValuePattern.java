package dev.lychgate.route;

import com.google.re2j.Pattern;
import dev.lychgate.config.RegularExpression;

/**
 * The value a header field or query parameter must have: exactly a text, {@code *} for any, or {@code regex:...} on the
 * whole value. Regular expressions are RE2, so that no value takes more than linear time.
 */
sealed interface ValuePattern {
    String REGEX = "regex:";

    boolean matches(CharSequence value);

    /** Whether all that {@code other} matches surely matches, too. */
    default boolean covers(ValuePattern other) {
        return this instanceof Any || equals(other) || (other instanceof Exact exact && matches(exact.expected()));
    }

    /** @throws IllegalArgumentException with what was expected */
    static ValuePattern parse(String text) {
        if (text.equals("*")) {
            return new Any();
        }
        return text.startsWith(REGEX) ? new Regex(compile(text)) : new Exact(text);
    }

    /**
     * Compiles what stands behind {@code regex:}.
     *
     * @throws IllegalArgumentException with what was expected
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
