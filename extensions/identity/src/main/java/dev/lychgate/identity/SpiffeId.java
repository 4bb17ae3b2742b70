package dev.lychgate.identity;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A SPIFFE id of a workload: {@code spiffe://trust-domain/path}.
 *
 * @param path the path, which begins with a slash and is not empty
 * @see <a href="https://github.com/spiffe/spiffe/blob/main/standards/SPIFFE-ID.md">The SPIFFE Identity and
 *     Verifiable Identity Document</a>
 */
record SpiffeId(String trustDomain, String path) {
    static final String SCHEME = "spiffe://";
    static final Pattern TRUST_DOMAIN = Pattern.compile("[a-z0-9._-]{1,255}");
    static final Pattern SEGMENT = Pattern.compile("[A-Za-z0-9._-]+");
    private static final int LONGEST = 2_048;

    /**
     * Parses an id. The scheme and the trust domain must be in lower case. Percent-encodings, users, ports, queries and
     * fragments are refused. An id without a path identifies an authority, not a workload.
     *
     * @return null if the text is not the id of a workload
     */
    static @Nullable SpiffeId parse(String text) {
        if (!text.startsWith(SCHEME) || text.length() > LONGEST) {
            return null;
        }
        int slash = text.indexOf('/', SCHEME.length());
        if (slash < 0
                || !TRUST_DOMAIN.matcher(text.substring(SCHEME.length(), slash)).matches()) {
            return null;
        }
        for (String segment : text.substring(slash + 1).split("/", -1)) {
            if (!isSegment(segment)) {
                return null;
            }
        }
        return new SpiffeId(text.substring(SCHEME.length(), slash), text.substring(slash));
    }

    /**
     * Returns whether a path can have this segment. Dot segments are refused, because other software may remove them.
     */
    static boolean isSegment(String segment) {
        return SEGMENT.matcher(segment).matches() && !segment.equals(".") && !segment.equals("..");
    }

    /** Returns the id as text. Equal ids have equal texts. */
    @Override
    public String toString() {
        return SCHEME + trustDomain + path;
    }
}
