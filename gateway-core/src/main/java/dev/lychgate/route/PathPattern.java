package dev.lychgate.route;

import com.google.re2j.Pattern;
import dev.lychgate.config.PathPolicy;
import dev.lychgate.http.PathNormalizer;
import dev.lychgate.http.RequestHead;
import org.jspecify.annotations.Nullable;

/** The path a route matches, in one of four forms. Compares with paths in their normal form, so it is written in it. */
sealed interface PathPattern extends RoutePredicate
        permits PathPattern.Any, PathPattern.Exact, PathPattern.Regex, SegmentPath {
    /** What stands in a route's path need not be safe to receive, only normal: the listener decides what comes in. */
    PathPolicy ANY_NORMAL = new PathPolicy(true, true, true, true, false, true);

    /** The forms, the most specific one first. */
    enum Kind {
        EXACT,
        SEGMENTS,
        REGEX,
        ANY
    }

    Kind kind();

    boolean matches(String path);

    /** How many segments are literal; counted where segments are variable. */
    default int literals() {
        return 0;
    }

    /** Whether every path that {@code narrow} matches certainly matches, too. */
    default boolean covers(PathPattern narrow) {
        return narrow instanceof Exact exact
                ? matches(exact.path())
                : kind() == Kind.ANY || (narrow.kind() != Kind.ANY && shape().equals(narrow.shape()));
    }

    /** What two patterns share that match the same paths: the text, with the names of its variables left out. */
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
     * Reads the text form.
     *
     * @param text null for any path
     * @throws IllegalArgumentException with what was expected
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

    /** @throws IllegalArgumentException if no path in normal form could ever be equal to {@code literal} */
    static void requireNormal(String literal) {
        if (literal.indexOf('*') >= 0) {
            throw new IllegalArgumentException("no * but in a final /** (a star itself is percent-encoded)");
        }
        String normal = PathNormalizer.normalize(literal, ANY_NORMAL);
        if (normal == null) {
            throw new IllegalArgumentException("a path that has a normal form");
        }
        if (!normal.equals(literal)) {
            throw new IllegalArgumentException("the normal form " + normal);
        }
    }

    /** Every path, {@code *} included. */
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
