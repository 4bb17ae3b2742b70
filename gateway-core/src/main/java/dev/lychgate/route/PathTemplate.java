package dev.lychgate.route;

import dev.lychgate.http.RequestHead;
import java.util.ArrayList;
import java.util.List;

/**
 * A template for the forwarded path. It consists of literals, of single segments of the matched path, and of the rest
 * of the matched path ({@code {**}}). The single segments are neither empty nor dot segments. {@link #parse} rejects a
 * template if its result might violate the normal form.
 *
 * <p>If {@code {**}} is empty, the slash before it is omitted: if {@code /api/**} is rewritten to {@code /v2/{**}},
 * {@code /api} becomes {@code /v2}, and {@code /api/} becomes {@code /v2/}.
 */
record PathTemplate(PathPattern matched, List<Piece> pieces) implements PathRewrite {
    private static final String REST = "{**}";

    private sealed interface Piece {}

    private record Literal(String text) implements Piece {}

    /** The segment of the matched path at {@code index}, counted from 0. */
    private record Segment(int index) implements Piece {}

    /** The rest of the matched path after its first {@code segments} segments, including the slash before the rest. */
    private record Rest(int segments) implements Piece {}

    PathTemplate {
        pieces = List.copyOf(pieces);
    }

    /**
     * Parses a template.
     *
     * @throws IllegalArgumentException if the template is malformed, uses variables that {@code matched} lacks, or
     *     could produce a path that is not in normal form; the message states the expected form
     */
    static PathTemplate parse(String template, PathPattern matched) {
        List<Piece> pieces = new ArrayList<>();
        StringBuilder sample = new StringBuilder();
        int at = 0;
        while (at < template.length()) {
            int open = template.indexOf('{', at);
            String literal = template.substring(at, open < 0 ? template.length() : open);
            if (open < 0) {
                pieces.add(new Literal(literal));
                sample.append(literal);
                break;
            }
            int close = template.indexOf('}', open);
            String variable = close < 0 ? template.substring(open) : template.substring(open, close + 1);
            at = open + variable.length();
            if (variable.equals(REST)) {
                if (at < template.length() || !literal.endsWith("/")) {
                    throw new IllegalArgumentException("{**} only as the last segment");
                }
                pieces.add(new Literal(literal.substring(0, literal.length() - 1)));
                pieces.add(rest(matched));
            } else {
                // A segment such as ";x" would turn "/.{v}" into a dot segment.
                if (literal.endsWith("/.") || literal.endsWith("/..")) {
                    throw new IllegalArgumentException(
                            "a character other than a dot before " + variable + " in the same segment");
                }
                pieces.add(new Literal(literal));
                pieces.add(segment(variable, matched));
            }
            sample.append(literal).append('v');
        }
        PathPattern.requireNormal(sample.toString());
        return new PathTemplate(matched, pieces);
    }

    private static Piece segment(String variable, PathPattern matched) {
        int index = matched instanceof SegmentPath path ? path.segments().indexOf(variable) : -1;
        if (index < 0 || !variable.endsWith("}")) {
            throw new IllegalArgumentException("only variables of match.path, which is " + matched);
        }
        return new Segment(index);
    }

    private static Piece rest(PathPattern matched) {
        if (matched instanceof SegmentPath path && path.tail() == SegmentPath.Tail.OPEN) {
            return new Rest(path.segments().size());
        }
        throw new IllegalArgumentException("{**} only if match.path ends in /**");
    }

    @Override
    public String apply(RequestHead head) {
        String path = head.path();
        if (!matched.matches(path)) {
            return path;
        }
        StringBuilder out = new StringBuilder(path.length() + 32);
        for (Piece piece : pieces) {
            if (piece instanceof Literal literal) {
                out.append(literal.text);
            } else if (piece instanceof Segment segment) {
                int start = start(path, segment.index);
                out.append(path, start, SegmentPath.segmentEnd(path, start));
            } else if (piece instanceof Rest rest) {
                int slash = start(path, rest.segments) - 1;
                out.append(path, Math.min(slash, path.length()), path.length());
            }
        }
        return out.length() == 0 ? "/" : out.toString();
    }

    private static int start(String path, int index) {
        int from = 1;
        for (int i = 0; i < index; i++) {
            from = SegmentPath.segmentEnd(path, from) + 1;
        }
        return from;
    }
}
