package dev.lychgate.resilience;

/**
 * The part of a limit that a request may use. The rest of the limit is reserved for requests with a higher priority. A
 * new request is admitted if all requests together use fewer permits than the part of the new request. Therefore,
 * requests with a small part are refused first.
 *
 * @param part more than 0 and at most 1
 * @param isHighest whether the request has the highest priority. If an adaptive limit is lowered for a measurement, the
 *     lowered limit does not apply to such a request
 */
public record LimitShare(double part, boolean isHighest) {
    /** The whole limit, which every request may use if no priorities are configured. */
    public static final LimitShare WHOLE = new LimitShare(1, false);

    public LimitShare {
        if (!(part > 0 && part <= 1)) {
            throw new IllegalArgumentException("part of a limit: " + part + " (expected: more than 0, at most 1)");
        }
    }

    /** Returns the number of places of a limit that the request may use, at least 1. */
    int places(int limit) {
        // The addend compensates for rounding errors in products such as 0.57 * 100.
        return part == 1 ? limit : Math.max(1, (int) (limit * part + 1e-9));
    }
}
