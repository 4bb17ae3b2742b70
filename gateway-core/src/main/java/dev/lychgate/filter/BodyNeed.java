package dev.lychgate.filter;

/**
 * The part of a body that a filter needs before it runs: none, or the complete body. A body that no filter needs or
 * transforms streams unchanged.
 *
 * @param limit the maximum length, in bytes, of a body that the gateway buffers for the filter: at most {@value #MOST},
 *     or 0 if the filter needs no body. A request with a longer body is rejected with 413; a response with a longer
 *     body is a failure of the filter
 */
public record BodyNeed(int limit) {
    /** The greatest limit: 64 MiB. */
    public static final int MOST = 64 << 20;
    /** The filter needs no body. */
    public static final BodyNeed NONE = new BodyNeed(0);

    /**
     * Creates a need.
     *
     * @throws IllegalArgumentException if the limit is out of range
     */
    public BodyNeed {
        if (limit < 0 || limit > MOST) {
            throw new IllegalArgumentException(
                    "the limit of a body is " + limit + " bytes (expected: 0 to " + MOST + ")");
        }
    }

    /** Returns the need for the complete body of at most {@code limit} bytes. */
    public static BodyNeed whole(int limit) {
        return new BodyNeed(limit);
    }

    /** Returns whether the filter needs no body. */
    public boolean isNone() {
        return limit == 0;
    }
}
