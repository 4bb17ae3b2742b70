package dev.lychgate.route;

import dev.lychgate.config.MatchConfig.Weight;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds what is allowed but hardly meant. A route that repeats another's host, path and predicates is never reached,
 * yet it harms nobody, and refusing it would refuse every other change in the same file.
 */
final class RouteWarnings {
    private RouteWarnings() {}

    /** @param inOrder every place of every route, in the order they are tried */
    static List<String> of(List<Route> routes, List<RouteOrder.Place> inOrder) {
        List<String> warnings = new ArrayList<>();
        unreachable(routes, inOrder, warnings);
        lonely(routes, warnings);
        return List.copyOf(warnings);
    }

    private static void unreachable(List<Route> routes, List<RouteOrder.Place> inOrder, List<String> warnings) {
        Map<String, Route> firstOf = new HashMap<>();
        Map<Route, Route> hiddenBy = new HashMap<>();
        Set<Route> reached = new HashSet<>();
        for (RouteOrder.Place place : inOrder) {
            Route route = place.route();
            if (!route.takesTraffic()) {
                continue;
            }
            Route first = firstOf.putIfAbsent(sameRequests(place), route);
            if (first == null || sameGroup(first, route)) {
                reached.add(route);
            } else {
                hiddenBy.putIfAbsent(route, first);
            }
        }
        for (Route route : routes) {
            Route hider = hiddenBy.get(route);
            if (hider != null && !reached.contains(route)) {
                warnings.add("routes[" + route.position() + "] (" + route.id() + ") is never reached: routes["
                        + hider.position() + "] (" + hider.id() + ") matches the same requests and is tried first");
            }
        }
    }

    private static void lonely(List<Route> routes, List<String> warnings) {
        Map<String, Integer> sizes = new HashMap<>();
        for (Route route : routes) {
            Weight weight = route.config().match().weight();
            if (weight != null) {
                sizes.merge(weight.group(), 1, Integer::sum);
            }
        }
        for (Route route : routes) {
            Weight weight = route.config().match().weight();
            if (weight != null && sizes.getOrDefault(weight.group(), 0) == 1) {
                warnings.add("routes[" + route.position() + "] (" + route.id() + ") is alone in its weight group "
                        + weight.group() + " and takes " + (weight.share() == 0 ? "nothing" : "everything"));
            }
        }
    }

    private static String sameRequests(RouteOrder.Place place) {
        Set<String> predicates = new TreeSet<>(place.route().furtherDescribed());
        return hostOf(place.host()) + '\n' + place.route().path().shape() + '\n' + String.join("\n", predicates);
    }

    private static String hostOf(@Nullable HostPattern host) {
        return host == null ? "" : host.toString();
    }

    private static boolean sameGroup(Route one, Route other) {
        Weight first = one.config().match().weight();
        Weight second = other.config().match().weight();
        return first != null && second != null && first.group().equals(second.group());
    }
}
