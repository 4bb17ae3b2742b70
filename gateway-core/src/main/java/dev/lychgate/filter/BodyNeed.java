package dev.lychgate.filter;

/**
 * What a filter needs of a body before it can run: nothing, or all of it. Bodies that no filter needs, and none
 * transforms, pass by as they are.
 *
 * @param limit the longest body in bytes that is kept for the filter, at most {@value #MOST}; 0 = it needs none. A longer
 *     request is answered with 413; a longer answer is a failure of the filter
 */
public record BodyNeed(int limit) {
    /** Most that one filter may ask to be kept: 64 MiB. */
    public static final int MOST = 64 << 20;
    /** The filter looks at heads alone. */
    public static final BodyNeed NONE = new BodyNeed(0);

    public BodyNeed {
        if (limit < 0 || limit > MOST) {
            throw new IllegalArgumentException("a body limit of " + limit + " bytes (expected: 0 to " + MOST + ")");
        }
    }

    /** The whole body, if it is no longer than {@code limit} bytes. */
    public static BodyNeed whole(int limit) {
        return new BodyNeed(limit);
    }

    public boolean isNone() {
        return limit == 0;
    }
}
