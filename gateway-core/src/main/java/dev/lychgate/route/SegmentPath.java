package dev.lychgate.route;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A path pattern by segments: {@code /a/{id}/b}, {@code /a/**}, {@code /a/{id}/**}. A variable matches one whole,
 * non-empty segment; {@code /**} matches the empty string, or a slash and any text after it.
 *
 * @param segments literals, and variables in braces; the last segment is empty if the path ends in a slash
 * @param tail whether the path may continue after its segments
 */
record SegmentPath(List<String> segments, Tail tail) implements PathPattern {
    enum Tail {
        CLOSED,
        OPEN
    }

    private static final String OPEN_END = "/**";
    private static final Pattern VARIABLE = Pattern.compile("\\{[A-Za-z_][A-Za-z0-9_-]{0,63}}");

    /**
     * Parses a template or a prefix.
     *
     * @throws IllegalArgumentException if {@code text} is malformed; the message states the expected form
     */
    static SegmentPath parse(String text) {
        Tail tail = text.endsWith(OPEN_END) ? Tail.OPEN : Tail.CLOSED;
        String closed = tail == Tail.OPEN ? text.substring(0, text.length() - OPEN_END.length()) : text;
        List<String> segments = new ArrayList<>();
        Set<String> variables = new HashSet<>();
        StringBuilder sample = new StringBuilder();
        if (!closed.isEmpty()) {
            for (String segment : closed.substring(1).split("/", -1)) {
                segments.add(segment);
                boolean variable = VARIABLE.matcher(segment).matches();
                if (!variable && (segment.indexOf('{') >= 0 || segment.indexOf('}') >= 0)) {
                    throw new IllegalArgumentException(
                            "each variable as a whole segment, such as {name} in /a/{name}/b; the name has at most 64 "
                                    + "letters, digits, _ and -");
                }
                if (variable && !variables.add(segment)) {
                    throw new IllegalArgumentException("each variable only once");
                }
                sample.append('/').append(variable ? "v" : segment);
            }
        }
        // The path must be in normal form if every variable and the open end are replaced by a sample segment.
        PathPattern.requireNormal(tail == Tail.OPEN ? sample + "/v" : sample.toString());
        return new SegmentPath(List.copyOf(segments), tail);
    }

    static boolean isVariable(String segment) {
        return segment.startsWith("{");
    }

    static int segmentEnd(String path, int from) {
        int slash = path.indexOf('/', from);
        return slash < 0 ? path.length() : slash;
    }

    @Override
    public Kind kind() {
        return Kind.SEGMENTS;
    }

    @Override
    public int literals() {
        return (int) segments.stream()
                .filter(segment -> !segment.isEmpty() && !isVariable(segment))
                .count();
    }

    @Override
    public boolean covers(PathPattern narrow) {
        if (narrow instanceof SegmentPath inner) {
            return coversSegments(inner);
        }
        return narrow instanceof Regex regex
                ? segments.isEmpty() && tail == Tail.OPEN && beginsWithSlash(regex)
                : PathPattern.super.covers(narrow);
    }

    /** Returns whether every match of the expression certainly begins with a slash. Returns false for alternatives. */
    private static boolean beginsWithSlash(Regex regex) {
        String text = regex.pattern().pattern();
        return text.startsWith("/")
                && (text.length() == 1 || "?*{".indexOf(text.charAt(1)) < 0)
                && text.indexOf('|') < 0;
    }

    private boolean coversSegments(SegmentPath narrow) {
        int size = segments.size();
        boolean longer = narrow.tail == Tail.OPEN || narrow.segments.size() > size;
        if (narrow.segments.size() < size || (tail == Tail.CLOSED && longer)) {
            return false;
        }
        for (int i = 0; i < size; i++) {
            String outer = segments.get(i);
            String inner = narrow.segments.get(i);
            if (isVariable(outer) ? inner.isEmpty() : !outer.equals(inner)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean matches(String path) {
        if (!path.startsWith("/")) {
            return false;
        }
        int from = 1;
        for (String segment : segments) {
            if (from > path.length()) {
                return false;
            }
            int end = segmentEnd(path, from);
            boolean same =
                    isVariable(segment) ? end > from : end - from == segment.length() && path.startsWith(segment, from);
            if (!same) {
                return false;
            }
            from = end + 1;
        }
        return tail == Tail.OPEN || from > path.length();
    }

    @Override
    public String shape() {
        StringBuilder shape = new StringBuilder();
        for (String segment : segments) {
            shape.append('/').append(isVariable(segment) ? "{}" : segment);
        }
        return shape.append(tail == Tail.OPEN ? OPEN_END : "").toString();
    }

    @Override
    public String toString() {
        return (segments.isEmpty() ? "" : "/" + String.join("/", segments)) + (tail == Tail.OPEN ? OPEN_END : "");
    }
}
