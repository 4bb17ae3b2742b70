package dev.lychgate.route;

import com.google.re2j.Pattern;
import dev.lychgate.config.PathPolicy;
import dev.lychgate.http.PathNormalizer;
import dev.lychgate.http.RequestHead;
import org.jspecify.annotations.Nullable;

/**
 * The path of a route: an exact path, a template or prefix, a regular expression, or any path. Patterns are compared
 * with normalized paths, so literal parts of a pattern must be in normal form.
 */
sealed interface PathPattern extends RoutePredicate
        permits PathPattern.Any, PathPattern.Exact, PathPattern.Regex, SegmentPath {
    /**
     * The policy for paths in routes. These paths must be in normal form, but may be unsafe, because the listener
     * decides which received paths are accepted.
     */
    PathPolicy ANY_NORMAL = new PathPolicy(true, true, true, true, false, true);

    /** The forms of a pattern, from the most specific to the least specific. */
    enum Kind {
        EXACT,
        SEGMENTS,
        REGEX,
        ANY
    }

    Kind kind();

    boolean matches(String path);

    /**
     * Returns the number of literal segments of a template or prefix; 0 for all other forms, because their order does
     * not depend on this number.
     */
    default int literals() {
        return 0;
    }

    /**
     * Returns whether this pattern certainly matches every path that {@code narrow} matches. The result false may also
     * mean that the two patterns cannot be compared.
     */
    default boolean covers(PathPattern narrow) {
        return narrow instanceof Exact exact
                ? matches(exact.path())
                : kind() == Kind.ANY || (narrow.kind() != Kind.ANY && shape().equals(narrow.shape()));
    }

    /**
     * Returns a key that is equal for patterns that match the same paths: the text without the names of the variables.
     */
    String shape();

    @Override
    default boolean test(RequestHead head, Ingress ingress) {
        return matches(head.path());
    }

    @Override
    default String describe() {
        return "path: " + this;
    }

    /**
     * Parses the path of a route.
     *
     * @param text null for any path
     * @throws IllegalArgumentException if {@code text} is malformed; the message states the expected form
     */
    static PathPattern parse(@Nullable String text) {
        if (text == null) {
            return new Any();
        }
        if (text.startsWith(ValuePattern.REGEX)) {
            return new Regex(ValuePattern.compile(text));
        }
        if (!text.startsWith("/")) {
            throw new IllegalArgumentException("a path that begins with /, or regex:");
        }
        if (text.endsWith("/**") || text.indexOf('{') >= 0) {
            return SegmentPath.parse(text);
        }
        requireNormal(text);
        return new Exact(text);
    }

    /**
     * Requires that {@code literal} is a path in normal form, without {@code *}.
     *
     * @throws IllegalArgumentException if {@code literal} is not in normal form; the message states the expected form
     */
    static void requireNormal(String literal) {
        if (literal.indexOf('*') >= 0) {
            throw new IllegalArgumentException(
                    "no * except in /** at the end; a literal star is written percent-encoded");
        }
        String normal = PathNormalizer.normalize(literal, ANY_NORMAL);
        if (normal == null) {
            throw new IllegalArgumentException(
                    "a path that can be normalized: without blanks, ? and #, and with valid percent-encodings");
        }
        if (!normal.equals(literal)) {
            throw new IllegalArgumentException("the normal form " + normal);
        }
    }

    /** Any path, including {@code *}. */
    record Any() implements PathPattern {
        @Override
        public Kind kind() {
            return Kind.ANY;
        }

        @Override
        public boolean matches(String path) {
            return true;
        }

        @Override
        public String shape() {
            return "";
        }

        @Override
        public String toString() {
            return "any";
        }
    }

    record Exact(String path) implements PathPattern {
        @Override
        public Kind kind() {
            return Kind.EXACT;
        }

        @Override
        public boolean matches(String other) {
            return path.equals(other);
        }

        @Override
        public String shape() {
            return path;
        }

        @Override
        public String toString() {
            return path;
        }
    }

    record Regex(Pattern pattern) implements PathPattern {
        @Override
        public Kind kind() {
            return Kind.REGEX;
        }

        @Override
        public boolean matches(String path) {
            return pattern.matches(path);
        }

        @Override
        public String shape() {
            return toString();
        }

        @Override
        public String toString() {
            return ValuePattern.REGEX + pattern.pattern();
        }
    }
}
