package dev.lychgate.route;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A route with one of its hosts, before its rank is computed.
 *
 * @param host null for any host
 */
record Place(Route route, @Nullable HostPattern host) {
    /**
     * Total order in which routes are tried; the first matching route wins. Criteria, the most important first:
     * explicit order; host (exact, then wildcards with the longer first, then none); path (exact, then templates and
     * prefixes by the number of their literal segments, then regular expressions, then none); number of further
     * predicates; position in the file. Two places are equal only if they have the same route and equivalent hosts.
     */
    @SuppressWarnings("EnumOrdinal") // the order of the kinds is the order of the routes
    static final Comparator<Place> ORDER = Comparator.comparingInt(
                    (Place place) -> place.route.config().order())
            .thenComparingInt(place -> -hostDetail(place.host))
            .thenComparingInt(place -> place.route.path().kind().ordinal())
            .thenComparingInt(place -> -place.route.path().literals())
            .thenComparingInt(place -> -place.route.furtherPredicates())
            .thenComparingInt(place -> place.route.position());

    private static int hostDetail(@Nullable HostPattern host) {
        if (host == null) {
            return -1;
        }
        return host.kind() == HostPattern.Kind.EXACT
                ? Integer.MAX_VALUE
                : host.name().length();
    }

    /**
     * Returns whether the route matches every request that {@code narrow} matches at its place. Compares predicate by
     * predicate. The result true is certain; the result false may only mean that regular expressions can't be compared.
     */
    boolean covers(Place narrow) {
        return coversPlace(narrow) && coversFurther(route, narrow.route);
    }

    boolean coversPlace(Place narrow) {
        return (host == null || (narrow.host != null && host.covers(narrow.host)))
                && route.path().covers(narrow.route.path());
    }

    /** Returns whether both routes match the same paths and have the same further predicates. */
    static boolean same(Route one, Route other) {
        return one.path().shape().equals(other.path().shape())
                && coversFurther(one, other)
                && coversFurther(other, one);
    }

    private static boolean coversFurther(Route wide, Route narrow) {
        List<RoutePredicate> held = narrow.further();
        return wide.further().stream().allMatch(needed -> held.stream().anyMatch(needed::coveredBy));
    }
}
