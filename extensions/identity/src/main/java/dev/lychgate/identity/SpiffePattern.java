package dev.lychgate.identity;

/**
 * A pattern of SPIFFE ids: an id in which {@code *} stands for one segment of the path, and {@code **} at the end for
 * one or more segments.
 */
final class SpiffePattern {
    private static final String ONE = "*";
    private static final String REST = "**";
    private static final String EXPECTED = "a SPIFFE id with a path, such as spiffe://example.org/ns/*/sa/billing or"
            + " spiffe://example.org/ns/prod/**";

    private final String trustDomain;
    private final String[] segments;

    private SpiffePattern(String trustDomain, String[] segments) {
        this.trustDomain = trustDomain;
        this.segments = segments;
    }

    /** @throws IllegalArgumentException if the text is not a pattern; the message describes the expected text */
    static SpiffePattern parse(String text) {
        int slash = text.startsWith(SpiffeId.SCHEME) ? text.indexOf('/', SpiffeId.SCHEME.length()) : -1;
        if (slash < 0) {
            throw new IllegalArgumentException(EXPECTED);
        }
        String domain = text.substring(SpiffeId.SCHEME.length(), slash);
        String[] segments = text.substring(slash + 1).split("/", -1);
        boolean valid = SpiffeId.TRUST_DOMAIN.matcher(domain).matches();
        for (int i = 0; i < segments.length; i++) {
            boolean rest = segments[i].equals(REST) && i == segments.length - 1;
            valid &= rest || segments[i].equals(ONE) || SpiffeId.isSegment(segments[i]);
        }
        if (!valid) {
            throw new IllegalArgumentException(EXPECTED);
        }
        return new SpiffePattern(domain, segments);
    }

    String trustDomain() {
        return trustDomain;
    }

    boolean matches(SpiffeId id) {
        // The first element is the empty text before the first slash.
        String[] path = id.path().split("/", -1);
        int length = path.length - 1;
        if (!id.trustDomain().equals(trustDomain)) {
            return false;
        }
        for (int i = 0; i < segments.length; i++) {
            if (i >= length) {
                return false;
            }
            if (segments[i].equals(REST)) {
                return true;
            }
            if (!segments[i].equals(ONE) && !segments[i].equals(path[i + 1])) {
                return false;
            }
        }
        return segments.length == length;
    }
}
