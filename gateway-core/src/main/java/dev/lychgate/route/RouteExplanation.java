package dev.lychgate.route;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a request meets the route it meets: every route in the order it is tried, with what became of it.
 *
 * @param matched ids of the routes that may take the request: none, one, or those of a weight group that share it
 * @param routes all routes, in order
 */
public record RouteExplanation(List<String> matched, List<Considered> routes) {
    public RouteExplanation {
        matched = List.copyOf(matched);
        routes = List.copyOf(routes);
    }

    /** What became of a route. */
    public enum Verdict {
        /** It takes the request. */
        MATCHED,
        /** It takes the request with a chance of its share; {@link Considered#detail} says which. */
        SHARES,
        /** It would match, but another stands before it. */
        BEHIND,
        /** Its share is 0. */
        NO_TRAFFIC,
        /** A predicate does not hold; {@link Considered#detail} is the first of them. */
        FAILED
    }

    /**
     * One route.
     *
     * @param id the route's id
     * @param verdict what became of it
     * @param detail the first predicate that failed ({@code methods: GET, POST}) or the share ({@code 5 of 20}); null for
     *     the other verdicts
     */
    public record Considered(
            String id, Verdict verdict, @Nullable String detail) {}
}
