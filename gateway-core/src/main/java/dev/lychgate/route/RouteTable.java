package dev.lychgate.route;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.ParameterPolicy;
import dev.lychgate.config.RegexBudget;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.http.DotSegments;
import dev.lychgate.http.PathParameters;
import dev.lychgate.http.RequestHead;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * All routes, indexed for matching requests. The result is the first route in the total order {@link Place#ORDER} that
 * matches with all its predicates.
 *
 * <p>The index uses host and path, so matching takes about as long with ten thousand routes as with ten routes.
 * Matching of exact paths, prefixes and templates allocates nothing. The following routes of a host are tested one
 * after the other, so their number determines the time:
 *
 * <ul>
 *   <li>routes with regular expressions
 *   <li>routes without a path
 *   <li>routes with equal host and path, which differ only in other predicates
 * </ul>
 *
 * <p>Immutable and thread-safe.
 */
public final class RouteTable {
    /** The reason for rejecting a request for which {@link #isEvasion} returns true. */
    public static final String EVASION = "The path has parameters that bypass a guarded route.";

    private final List<Route> routes;
    private final List<Place> inOrder;
    private final HostIndex index;
    private final List<String> warnings;
    /**
     * An index that contains only the guarded routes; null if there are no guarded routes. The routes in this index
     * lack their predicates on clients and claims.
     */
    private final @Nullable HostIndex guards;

    private RouteTable(List<Route> routes) {
        this.routes = List.copyOf(routes);
        List<Place> places = new ArrayList<>();
        for (Route route : routes) {
            if (route.hosts().isEmpty()) {
                places.add(new Place(route, null));
            }
            for (HostPattern host : route.hosts()) {
                places.add(new Place(route, host));
            }
        }
        places.sort(Place.ORDER);
        this.inOrder = List.copyOf(places);
        List<RouteEntry> entries = rank(places, groups(routes));
        this.index = new HostIndex(entries);
        this.warnings = RouteWarnings.of(routes, places);
        this.guards = guards(entries);
    }

    /**
     * Compiles routes.
     *
     * @param configs in the order of the file
     * @throws ConfigException if there are errors. The exception describes the first error and names its key, such as
     *     {@code routes[2].match.path}. All further errors are its suppressed exceptions
     */
    public static RouteTable build(List<RouteConfig> configs) {
        List<ConfigException> faults = new ArrayList<>();
        List<Route> routes = compile(configs, faults);
        if (!faults.isEmpty()) {
            ConfigException first = faults.get(0);
            faults.subList(1, faults.size()).forEach(first::addSuppressed);
            throw first;
        }
        return new RouteTable(routes);
    }

    /** Returns every error for which {@link #build} would fail, in the order of the file. */
    public static List<ConfigException> faults(List<RouteConfig> configs) {
        List<ConfigException> faults = new ArrayList<>();
        compile(configs, faults);
        return List.copyOf(faults);
    }

    /**
     * Returns the route for a request.
     *
     * @param head the request head, with its path in normal form
     * @param ingress facts about the connection of the request
     * @param random selects among the routes of a weight group. The caller supplies the generator, because event loops
     *     must not share one
     * @return null if no route matches
     */
    public @Nullable Route match(RequestHead head, Ingress ingress, RandomGenerator random) {
        RouteEntry entry = index.first(head, ingress);
        if (entry == null) {
            return null;
        }
        WeightGroup group = entry.group();
        return group == null ? entry.route() : group.draw(entry.route(), head, ingress, random);
    }

    /**
     * Matches like {@link #match(RequestHead, Ingress, RandomGenerator)}, but ignores path parameters if {@code
     * parameters} requires this. The head keeps the received path, unless the route rewrites it.
     */
    public @Nullable Route match(
            RequestHead head, Ingress ingress, ParameterPolicy parameters, RandomGenerator random) {
        String sent = head.path();
        if (parameters != ParameterPolicy.STRIP_FOR_MATCHING || !PathParameters.present(sent)) {
            return match(head, ingress, random);
        }
        head.path(PathParameters.strip(sent));
        Route route = match(head, ingress, random);
        if (route == null || !route.rewritesPath()) {
            head.path(sent);
        }
        return route;
    }

    /**
     * Returns whether a request bypasses a guarded route by its path parameters: without the parameters, the request
     * would match the host and path of the guarded route, but with the parameters, another route matches. A guarded
     * route has one of these properties:
     *
     * <ul>
     *   <li>It rejects all requests with a fixed 4xx response.
     *   <li>It accepts only some clients.
     *   <li>It matches by claims.
     *   <li>It authenticates or authorizes requests.
     * </ul>
     */
    public boolean isEvasion(RequestHead head, Ingress ingress) {
        if (guards == null || !PathParameters.present(head.path())) {
            return false;
        }
        String sent = head.path();
        RouteEntry met = index.first(head, ingress);
        if (met != null && met.route().namesParameters()) {
            return false;
        }
        boolean evasion = false;
        for (String reading : PathParameters.readings(sent)) {
            head.path(reading);
            evasion |= hidesGuard(guards, met, head, ingress);
        }
        head.path(sent);
        return evasion;
    }

    /**
     * Returns whether a request bypasses a guarded route by its dot segments. Two conditions must hold: {@code chosen}
     * forwards the path as the client sent it, and a server that keeps the dot segments would match the guarded route.
     *
     * @param chosen the route of the request
     */
    public boolean isEvasionByDots(Route chosen, RequestHead head, Ingress ingress) {
        if (guards == null || !chosen.forwardsDotSegments(head)) {
            return false;
        }
        String normal = head.path();
        RouteEntry met = index.first(head, ingress);
        boolean evasion = false;
        for (String reading : DotSegments.readings(head.rawPath())) {
            head.path(reading);
            evasion |= hidesGuard(guards, met, head, ingress);
        }
        head.path(normal);
        return evasion;
    }

    /**
     * @param met the entry that matches the received path; null = none
     * @param head the request, with the path as a server may interpret it
     */
    private boolean hidesGuard(HostIndex guards, @Nullable RouteEntry met, RequestHead head, Ingress ingress) {
        RouteEntry guard = guards.first(head, ingress);
        if (guard == null || (met != null && met.rank() == guard.rank())) {
            return false;
        }
        RouteEntry plain = index.first(head, ingress);
        return plain == null || (guard.rank() <= plain.rank() && (met == null || met.route() != plain.route()));
    }

    /**
     * Matches like {@link #match(RequestHead, Ingress, RandomGenerator)}, with the random generator of the current
     * thread.
     */
    public @Nullable Route match(RequestHead head, Ingress ingress) {
        return match(head, ingress, ThreadLocalRandom.current());
    }

    /** Explains the route of a request. Visits every route, so it is too slow for the request path. */
    public RouteExplanation explain(RequestHead head, Ingress ingress) {
        return RouteExplanation.of(head, ingress, index.first(head, ingress), inOrder);
    }

    /**
     * Returns warnings about guarded paths. A path gets a warning if a later route with a more general path may forward
     * a different spelling of the guarded path to an upstream.
     */
    public List<String> guardWarnings() {
        return RouteWarnings.guards(inOrder);
    }

    /** Returns all routes, in the order of the file. */
    public List<Route> routes() {
        return routes;
    }

    /**
     * Returns warnings about legal but questionable routes: routes that are never reached, and weight groups with one
     * route.
     */
    public List<String> warnings() {
        return warnings;
    }

    private static List<Route> compile(List<RouteConfig> configs, List<ConfigException> faults) {
        List<Route> routes = new ArrayList<>();
        RegexBudget budget = new RegexBudget("all routes");
        for (int i = 0; i < configs.size(); i++) {
            Route route = new RouteCompiler(i, configs.get(i), budget, faults).compile();
            if (route != null) {
                routes.add(route);
            }
        }
        return routes;
    }

    private static Map<String, WeightGroup> groups(List<Route> routes) {
        Map<String, List<Route>> members = new TreeMap<>();
        for (Route route : routes) {
            var weight = route.config().match().weight();
            if (weight != null) {
                members.computeIfAbsent(weight.group(), g -> new ArrayList<>()).add(route);
            }
        }
        Map<String, WeightGroup> groups = new HashMap<>();
        members.forEach((name, list) -> groups.put(name, new WeightGroup(list)));
        return groups;
    }

    private static @Nullable HostIndex guards(List<RouteEntry> entries) {
        List<RouteEntry> guards = entries.stream()
                .filter(entry -> entry.route().guards())
                .map(RouteEntry::forAllSenders)
                .toList();
        return guards.isEmpty() ? null : new HostIndex(guards);
    }

    /** Returns an entry for each place, in the order of the places. Routes without traffic get no entry. */
    private static List<RouteEntry> rank(List<Place> places, Map<String, WeightGroup> groups) {
        List<RouteEntry> entries = new ArrayList<>();
        for (int rank = 0; rank < places.size(); rank++) {
            Route route = places.get(rank).route();
            if (route.takesTraffic()) {
                var weight = route.config().match().weight();
                WeightGroup group = weight == null ? null : groups.get(weight.group());
                entries.add(new RouteEntry(route, places.get(rank).host(), rank, group));
            }
        }
        return entries;
    }
}
