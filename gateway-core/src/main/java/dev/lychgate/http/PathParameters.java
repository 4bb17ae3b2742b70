package dev.lychgate.http;

import dev.lychgate.config.PathPolicy;
import java.util.List;

/**
 * Finds and removes path parameters in normalized paths. An encoded semicolon also starts parameters, because some
 * servers decode a path before they remove its parameters.
 */
public final class PathParameters {
    private static final String ENCODED_SEMICOLON = "%3B";
    private static final PathPolicy LENIENT = new PathPolicy(true, true, true, true, true, true);

    private PathParameters() {}

    /** Returns whether any segment of {@code path} has parameters. */
    public static boolean present(String path) {
        return path.indexOf(';') >= 0 || path.contains(ENCODED_SEMICOLON);
    }

    /**
     * Returns the path that a server obtains if it first removes the parameters and then normalizes the path. Segments
     * that consist only of parameters disappear. Dot segments with parameters take effect, at most up to the root.
     */
    public static String strip(String path) {
        return strip(path, true);
    }

    /**
     * Returns the paths that servers may obtain if they remove the parameters of {@code path}. The first path lacks all
     * parameters, both after plain and after encoded semicolons. If {@code path} has encoded semicolons, there is a
     * second path, which lacks only the parameters after plain semicolons.
     */
    public static List<String> readings(String path) {
        String decoding = strip(path, true);
        String literal = strip(path, false);
        return decoding.equals(literal) ? List.of(decoding) : List.of(decoding, literal);
    }

    private static String strip(String path, boolean encoded) {
        StringBuilder stripped = new StringBuilder(path.length());
        for (int from = 0; from < path.length(); ) {
            int slash = path.indexOf('/', from + 1);
            int end = slash < 0 ? path.length() : slash;
            int begin = begin(path, ";", from, end);
            stripped.append(path, from, encoded ? Math.min(begin, begin(path, ENCODED_SEMICOLON, from, end)) : begin);
            from = end;
        }
        String normal = PathNormalizer.normalize(stripped.toString(), LENIENT);
        return normal == null ? path : normal;
    }

    private static int begin(String path, String semicolon, int from, int end) {
        int at = path.indexOf(semicolon, from);
        return at < 0 ? end : Math.min(at, end);
    }
}
