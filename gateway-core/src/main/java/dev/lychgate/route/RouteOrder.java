package dev.lychgate.route;

import org.jspecify.annotations.Nullable;

/**
 * The total order in which routes are tried: explicit order; host exact, then longer wildcard, then none; path exact,
 * then templates and prefixes by the number of their literal segments, then regex, then none; number of further
 * predicates; position in the file. The first route that matches is the one.
 */
final class RouteOrder {
    /** Of a route under one of its hosts, before its rank is known. */
    record Place(Route route, @Nullable HostPattern host) {}

    /** Negative if {@code one} is tried before {@code other}; 0 only for places of one route under hosts alike. */
    static int compare(Place one, Place other) {
        int order = Integer.compare(
                one.route().config().order(), other.route().config().order());
        if (order != 0) {
            return order;
        }
        // What says more comes first.
        order = Integer.compare(hostDetail(other.host()), hostDetail(one.host()));
        if (order != 0) {
            return order;
        }
        PathPattern path = one.route().path();
        PathPattern otherPath = other.route().path();
        order = Integer.compare(pathKind(path), pathKind(otherPath));
        if (order != 0) {
            return order;
        }
        order = Integer.compare(literals(otherPath), literals(path));
        if (order != 0) {
            return order;
        }
        order = Integer.compare(other.route().furtherPredicates(), one.route().furtherPredicates());
        return order != 0
                ? order
                : Integer.compare(one.route().position(), other.route().position());
    }

    private RouteOrder() {}

    private static int hostDetail(@Nullable HostPattern host) {
        if (host == null) {
            return -1;
        }
        return host.kind() == HostPattern.Kind.EXACT
                ? Integer.MAX_VALUE
                : host.name().length();
    }

    private static int pathKind(PathPattern path) {
        if (path instanceof PathPattern.Exact) {
            return 0;
        }
        if (path instanceof SegmentPath) {
            return 1;
        }
        return path instanceof PathPattern.Regex ? 2 : 3;
    }

    private static int literals(PathPattern path) {
        return path instanceof SegmentPath segments ? segments.literals() : 0;
    }
}
