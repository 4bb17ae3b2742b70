package dev.lychgate.route;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A route with one of its hosts, before its rank is computed.
 *
 * @param host the host; null = any host
 */
record Place(Route route, @Nullable HostPattern host) {
    /**
     * The order in which routes are tried; the first matching route serves the request. Two routes are compared by the
     * following criteria. The first criterion in which they differ decides.
     *
     * <ol>
     *   <li>the key {@code order}
     *   <li>the host: exact hosts, then wildcards (longer wildcards first), then no host
     *   <li>the path: exact paths, then templates and prefixes (more literal segments first), then regular expressions,
     *       then no path
     *   <li>the number of predicates other than host and path: more predicates first
     *   <li>the position in the file
     * </ol>
     *
     * <p>Two places are equal only if they have the same route and equivalent hosts.
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
     * Returns whether the route of this place certainly matches every request that {@code narrow} matches. Compares
     * predicate by predicate. The result false may also mean that regular expressions cannot be compared.
     */
    boolean covers(Place narrow) {
        return coversPlace(narrow) && coversFurther(route, narrow.route);
    }

    boolean coversPlace(Place narrow) {
        return (host == null || (narrow.host != null && host.covers(narrow.host)))
                && route.path().covers(narrow.route.path());
    }

    /** Returns whether both routes match the same paths, and have equal predicates apart from host and path. */
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
