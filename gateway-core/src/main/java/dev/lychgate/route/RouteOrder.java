package dev.lychgate.route;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The total order in which routes are tried: explicit order; host exact, then longer wildcard, then none; path exact,
 * then templates and prefixes by the number of their literal segments, then regex, then none; number of further
 * predicates; position in the file. The first route that matches is the one.
 */
final class RouteOrder {
    /** Of a route under one of its hosts, before its rank is known. */
    record Place(Route route, @Nullable HostPattern host) {}

    static final Comparator<Place> TOTAL = Comparator.<Place>comparingInt(
                    p -> p.route().config().order())
            .thenComparing(
                    Comparator.<Place>comparingInt(p -> hostDetail(p.host())).reversed())
            .thenComparingInt(p -> pathKind(p.route().path()))
            .thenComparing(
                    Comparator.<Place>comparingInt(p -> literals(p.route().path()))
                            .reversed())
            .thenComparing(Comparator.<Place>comparingInt(p -> p.route().furtherPredicates())
                    .reversed())
            .thenComparingInt(p -> p.route().position());

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
