package dev.lychgate.route;

import dev.lychgate.http.RequestHead;
import org.jspecify.annotations.Nullable;

/**
 * A route with one of its hosts, at its rank in the total order. A route with three hosts has three entries, because each
 * host has a different rank.
 *
 * @param host null for any host
 * @param rank position in the order; lower comes first
 * @param group weight group of the route; null for none
 */
record RouteEntry(
        Route route,
        @Nullable HostPattern host,
        int rank,
        @Nullable WeightGroup group) {
    static final RouteEntry[] NONE = {};

    /** Returns an entry with the same rank for the route without its lists of clients and claims. */
    RouteEntry forAllSenders() {
        return new RouteEntry(route.forAllSenders(), host, rank, group);
    }

    /**
     * Returns the better one of {@code best} and the first matching entry. The hosts and paths of the entries have
     * already been matched.
     *
     * @param entries the entries, ordered by rank
     */
    static @Nullable RouteEntry first(
            RouteEntry[] entries, RequestHead head, Ingress ingress, @Nullable RouteEntry best) {
        for (RouteEntry entry : entries) {
            if (best != null && best.rank <= entry.rank) {
                return best;
            }
            if (entry.route.furtherHold(head, ingress)) {
                return entry;
            }
        }
        return best;
    }
}
