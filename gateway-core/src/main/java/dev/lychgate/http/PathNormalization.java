package dev.lychgate.http;

import dev.lychgate.config.PathPolicy;
import org.jspecify.annotations.Nullable;

/**
 * Normalizes a path that is not in normal form. Copies one segment at a time and checks each segment after decoding it,
 * so that {@code %2e%2E} equals {@code ..}. Each instance normalizes one path.
 */
final class PathNormalization {
    private final String raw;
    private final PathPolicy policy;
    private final StringBuilder out;
    private boolean parameters;

    PathNormalization(String raw, PathPolicy policy) {
        this.raw = raw;
        this.policy = policy;
        this.out = new StringBuilder(raw.length());
    }

    /**
     * Copies the path in normal form.
     *
     * @return the reason to reject the path; null if it is accepted
     */
    @Nullable
    PathRefusal run() {
        if (raw.isEmpty() || raw.charAt(0) != '/') {
            return PathRefusal.NO_SLASH;
        }
        out.append('/');
        int next = 1;
        while (next <= raw.length()) {
            int end = raw.indexOf('/', next);
            if (end < 0) {
                end = raw.length();
            }
            // The output so far always ends with a slash, so an empty segment adds nothing.
            int start = out.length();
            PathRefusal refusal = copy(next, end);
            if (refusal == null) {
                refusal = close(start, end < raw.length());
            }
            if (refusal != null) {
                return refusal;
            }
            next = end + 1;
        }
        return null;
    }

    /**
     * Returns the normal form after a successful {@link #run}. If {@code same} equals the normal form, returns {@code
     * same} itself.
     */
    String resultOr(String same) {
        return same.contentEquals(out) ? same : out.toString();
    }

    /** Returns whether any segment had parameters, including segments that dot segments have removed. */
    boolean hasParameters() {
        return parameters;
    }

    private @Nullable PathRefusal copy(int from, int to) {
        for (int i = from; i < to; i++) {
            char c = raw.charAt(i);
            if (PathBytes.isPchar(c)) {
                parameters |= c == ';';
                out.append(c);
                continue;
            }
            PathRefusal refusal;
            if (c == '%') {
                int octet = PathBytes.encodedAt(raw, i);
                if (octet < 0) {
                    return PathRefusal.BAD_ENCODING;
                }
                refusal = PathRefusal.ofEncoded(raw, i, octet, policy);
                parameters |= octet == ';';
                if (PathBytes.isUnreserved(octet)) {
                    out.append((char) octet);
                } else {
                    PathBytes.appendEncoded(out, octet);
                }
                i += 2;
            } else {
                refusal = PathRefusal.ofRaw(c, policy);
                PathBytes.appendEncoded(out, c & 0xff);
            }
            if (refusal != null) {
                return refusal;
            }
        }
        return null;
    }

    /**
     * Ends the segment that begins at {@code start}: applies the segment if it is a dot segment, and appends a slash if
     * a slash follows.
     */
    private @Nullable PathRefusal close(int start, boolean slashFollows) {
        int dots = 0;
        while (start + dots < out.length() && dots < 3 && out.charAt(start + dots) == '.') {
            dots++;
        }
        boolean whole = start + dots == out.length();
        if (dots == 1 || dots == 2) {
            if (whole) {
                out.setLength(start);
                return dots == 1 ? null : climb(start);
            }
            if (parametersAt(start + dots) && !policy.allowDotParameters()) {
                return PathRefusal.DOT_PARAMETERS;
            }
        }
        if (slashFollows && out.length() > start) {
            out.append('/');
        }
        return null;
    }

    // Some servers remove parameters after decoding, so an encoded semicolon also starts parameters.
    private boolean parametersAt(int at) {
        return out.charAt(at) == ';'
                || (out.charAt(at) == '%' && out.charAt(at + 1) == '3' && out.charAt(at + 2) == 'B');
    }

    private @Nullable PathRefusal climb(int start) {
        if (start == 1) {
            return policy.allowAboveRoot() ? null : PathRefusal.ABOVE_ROOT;
        }
        int parent = out.lastIndexOf("/", start - 2) + 1;
        if (parametersAt(parent) && !policy.allowDotParameters()) {
            // A server that first removes parameters sees an empty segment here, and resolves ".." against a different
            // segment.
            return PathRefusal.DOT_PARAMETERS;
        }
        out.setLength(parent);
        return null;
    }
}
