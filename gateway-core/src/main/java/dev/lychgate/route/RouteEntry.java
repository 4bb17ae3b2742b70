package dev.lychgate.route;

import dev.lychgate.http.RequestHead;
import org.jspecify.annotations.Nullable;

/**
 * A route with one of its hosts, at its rank in the total order. A route with three hosts has three entries, because
 * each host has a different rank.
 *
 * @param host the host; null = any host
 * @param rank the position in the order of all entries; a lower rank comes first
 * @param group the weight group of the route; null = no weight group
 */
record RouteEntry(
        Route route,
        @Nullable HostPattern host,
        int rank,
        @Nullable WeightGroup group) {
    static final RouteEntry[] NONE = {};

    /**
     * Returns an entry for a copy of the route that lacks the predicates on clients and claims. The rank does not
     * change.
     */
    RouteEntry forAllSenders() {
        return new RouteEntry(route.forAllSenders(), host, rank, group);
    }

    /**
     * Returns the first matching entry, or {@code best} if {@code best} precedes this entry. The hosts and paths of the
     * entries have already been matched.
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
