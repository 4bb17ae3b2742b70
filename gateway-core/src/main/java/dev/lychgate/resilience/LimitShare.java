package dev.lychgate.resilience;

/**
 * The part of a limit that a request may use. The rest is reserved for requests with a higher priority. The part is
 * compared with the number of permits that all requests use together. Requests with a small part are therefore refused
 * first. The reserve stays free for requests with a high priority, even if these also use permits outside the reserve.
 *
 * @param part more than 0 and at most 1
 * @param isHighest whether the request has the highest priority. A limit that is lowered only for a measurement does
 *     not apply to such a request
 */
public record LimitShare(double part, boolean isHighest) {
    /** The share of all requests if no priorities are configured. */
    public static final LimitShare WHOLE = new LimitShare(1, false);

    public LimitShare {
        if (!(part > 0 && part <= 1)) {
            throw new IllegalArgumentException("part: " + part + " (expected: more than 0, at most 1)");
        }
    }

    /** Returns the number of places of a limit that the request may use, at least 1. */
    int places(int limit) {
        // The addend makes up for the rounding of products such as 0.57 * 100.
        return part == 1 ? limit : Math.max(1, (int) (limit * part + 1e-9));
    }
}
