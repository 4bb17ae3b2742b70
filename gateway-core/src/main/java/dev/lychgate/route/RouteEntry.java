package dev.lychgate.route;

import dev.lychgate.http.RequestHead;
import org.jspecify.annotations.Nullable;

/**
 * A route under one of its hosts, at its place in the total order. A route with three hosts has three entries, since
 * each host puts it at another place.
 *
 * @param host null for any
 * @param rank the place; lower comes first
 * @param group the weight group the route is in; null for none
 */
record RouteEntry(
        Route route,
        @Nullable HostPattern host,
        int rank,
        @Nullable WeightGroup group) {
    static final RouteEntry[] NONE = {};

    /** The same place, of the route without its list of clients. */
    RouteEntry forAllClients() {
        return new RouteEntry(route.forAllClients(), host, rank, group);
    }

    /**
     * The better of {@code best} and the first of {@code entries} that matches; their hosts and paths are known to.
     *
     * @param entries by rank
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
