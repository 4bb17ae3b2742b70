package dev.lychgate.route;

import dev.lychgate.http.RequestHead;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Explains the route of a request: lists all routes in the order of matching, each with a verdict.
 *
 * @param matched the ids of the routes that may serve the request; several if the gateway draws one member of a weight
 *     group, empty if no route matches
 * @param routes all routes, in order
 */
public record RouteExplanation(List<String> matched, List<Considered> routes) {
    public RouteExplanation {
        matched = List.copyOf(matched);
        routes = List.copyOf(routes);
    }

    /**
     * Explains the route of a request. Tests the predicates of all routes, so it is too slow for the request path.
     *
     * @param found the result of the index
     * @param inOrder all places in the order of matching; a place is a route with one of its hosts. A route is listed
     *     once, at its first place
     */
    static RouteExplanation of(RequestHead head, Ingress ingress, @Nullable RouteEntry found, List<Place> inOrder) {
        WeightGroup group = found == null ? null : found.group();
        List<Route> takers =
                found == null ? List.of() : group == null ? List.of(found.route()) : group.matching(head, ingress);
        return new RouteExplanation(
                takers.stream().map(Route::id).toList(),
                inOrder.stream()
                        .map(Place::route)
                        .distinct()
                        .map(route -> consider(route, route.firstFailed(head, ingress), takers))
                        .toList());
    }

    private static Considered consider(Route route, @Nullable RoutePredicate failed, List<Route> takers) {
        if (failed != null) {
            return new Considered(route.id(), Verdict.FAILED, failed.describe());
        }
        if (!route.takesTraffic()) {
            return new Considered(route.id(), Verdict.NO_TRAFFIC, null);
        }
        if (!takers.contains(route)) {
            return new Considered(route.id(), Verdict.BEHIND, null);
        }
        if (takers.size() == 1) {
            return new Considered(route.id(), Verdict.MATCHED, null);
        }
        long sum = takers.stream().mapToLong(WeightGroup::share).sum();
        return new Considered(route.id(), Verdict.SHARES, WeightGroup.share(route) + " of " + sum);
    }

    /** The result of the explanation for one route. */
    public enum Verdict {
        /** The route serves the request. */
        MATCHED,
        /** The route serves the request with the probability in {@link Considered#detail}. */
        SHARES,
        /** The route matches the request, but an earlier route serves the request. */
        BEHIND,
        /** The route has a share of 0. */
        NO_TRAFFIC,
        /**
         * The route does not match the request; {@link Considered#detail} is the first predicate that does not match.
         */
        FAILED
    }

    /**
     * The result of the explanation for one route, with its reason.
     *
     * @param id the route's id
     * @param verdict the result for the route
     * @param detail the first predicate that failed ({@code methods: GET, POST}) or the share ({@code 5 of 20}); null
     *     for all verdicts except {@code FAILED} and {@code SHARES}
     */
    public record Considered(
            String id, Verdict verdict, @Nullable String detail) {}
}
