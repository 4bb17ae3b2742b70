package dev.lychgate.http;

import dev.lychgate.config.PathPolicy;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Finds dot segments in paths as clients send them. Some servers do not resolve dot segments, or resolve only dot
 * segments that are not percent-encoded. For these servers, {@code /admin/%2e%2e/x} is a path below {@code /admin}.
 */
public final class DotSegments {
    private static final Pattern ALL = Pattern.compile("(?<=/)(?:\\.|%2[eE]){1,2}(?=/|$)");
    private static final Pattern ENCODED = Pattern.compile("(?<=/)(?:\\.%2[eE]|%2[eE]\\.|%2[eE]%2[eE]|%2[eE])(?=/|$)");
    /** The ordinary segment with which {@link #readings} replaces a dot segment that some servers do not resolve. */
    private static final String ORDINARY = "-";

    private static final PathPolicy LENIENT = new PathPolicy(true, true, true, true, true, true);

    private DotSegments() {}

    /** Returns whether a path has dot segments. */
    public static boolean present(String rawPath) {
        return (rawPath.contains("/.") || rawPath.contains("/%2"))
                && ALL.matcher(rawPath).find();
    }

    /**
     * Returns two readings of a path, in normal form, for servers that do not resolve all dot segments. The first
     * reading treats all dot segments as ordinary segments. The second reading treats only percent-encoded dot segments
     * in this way.
     */
    public static List<String> readings(String rawPath) {
        return List.of(normal(ALL, rawPath), normal(ENCODED, rawPath));
    }

    private static String normal(Pattern ordinary, String rawPath) {
        String normal = PathNormalizer.normalize(ordinary.matcher(rawPath).replaceAll(ORDINARY), LENIENT);
        return normal == null ? rawPath : normal;
    }
}
