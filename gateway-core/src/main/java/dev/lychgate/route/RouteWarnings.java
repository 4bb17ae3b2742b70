package dev.lychgate.route;

import dev.lychgate.config.MatchConfig.Weight;
import dev.lychgate.config.RouteAction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds legal but questionable routes. A route is never reached if an earlier route matches all of its requests. Such a
 * route does no harm, so it causes only a warning. If the gateway refused such a route, it would also refuse all other
 * changes in the file of this route.
 */
final class RouteWarnings {
    private RouteWarnings() {}

    /** @param inOrder all places in the order of matching; a place is a route with one of its hosts */
    static List<String> of(List<Route> routes, List<Place> inOrder) {
        List<String> warnings = new ArrayList<>();
        unreachable(routes, inOrder, warnings);
        lonely(routes, warnings);
        return List.copyOf(warnings);
    }

    private static void unreachable(List<Route> routes, List<Place> inOrder, List<String> warnings) {
        Map<Route, Route> hiddenBy = new HashMap<>();
        Set<Route> reached = new HashSet<>();
        PlaceIndex earlier = new PlaceIndex();
        for (Place place : inOrder) {
            Route route = place.route();
            if (!route.takesTraffic()) {
                continue;
            }
            Route hider = earlier.first(place, other -> !sameGroup(other.route(), route) && other.covers(place));
            if (hider == null) {
                reached.add(route);
            } else {
                hiddenBy.putIfAbsent(route, hider);
            }
            earlier.add(place);
        }
        for (Route route : routes) {
            Route hider = hiddenBy.get(route);
            if (hider != null && !reached.contains(route)) {
                warnings.add(named(route) + " is never reached: " + named(hider) + " matches "
                        + (Place.same(hider, route) ? "the same" : "all of its")
                        + " requests and is tried first");
            }
        }
    }

    /** @param inOrder all places in the order of matching; a place is a route with one of its hosts */
    static List<String> guards(List<Place> inOrder) {
        Map<String, String> warnings = new LinkedHashMap<>();
        PlaceIndex later = new PlaceIndex();
        for (int i = inOrder.size() - 1; i >= 0; i--) {
            Place place = inOrder.get(i);
            Route route = place.route();
            if (route.guards() && route.rejects() && !(route.path() instanceof PathPattern.Any)) {
                Route wider = later.first(
                        place,
                        other -> other.route().action() instanceof RouteAction.Proxy
                                && !other.route().rejects()
                                && other.coversPlace(place)
                                && !other.route()
                                        .path()
                                        .shape()
                                        .equals(route.path().shape()));
                if (wider != null) {
                    // If several routes guard one path, only the last of them gets a warning, because it rejects the
                    // requests that the other guards do not reject.
                    warnings.putIfAbsent(
                            place.host() + route.path().shape(),
                            named(route) + " guards " + route.path() + ", but " + named(wider)
                                    + " forwards paths that an origin may treat as the guarded path: the path in "
                                    + "another case (matching is case-sensitive), and the path with parameters "
                                    + "(listeners[].paths.parameters is neither refuse nor strip-for-matching)");
                }
            }
            if (route.takesTraffic()) {
                later.add(place);
            }
        }
        List<String> inFileOrder = new ArrayList<>(warnings.values());
        Collections.reverse(inFileOrder);
        return List.copyOf(inFileOrder);
    }

    private static String named(Route route) {
        return "routes[" + route.position() + "] (" + route.id() + ")";
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
                warnings.add("routes[" + route.position() + "] (" + route.id() + ") is the only route in weight group "
                        + weight.group() + " and receives " + (weight.share() == 0 ? "no requests" : "all requests"));
            }
        }
    }

    private static boolean sameGroup(Route one, Route other) {
        Weight first = one.config().match().weight();
        Weight second = other.config().match().weight();
        return first != null && second != null && first.group().equals(second.group());
    }
}
