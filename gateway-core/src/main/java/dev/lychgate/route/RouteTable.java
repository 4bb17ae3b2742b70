package dev.lychgate.route;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.ParameterPolicy;
import dev.lychgate.config.RegexBudget;
import dev.lychgate.config.RouteConfig;
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
 * All routes, made ready to find the one for a request. Which one that is follows from the total order of
 * {@link Place#ORDER}: the first route in it whose predicates all hold, and no other, however many there are.
 *
 * <p>The table is indexed by host and by path, so finding takes about the same time with ten routes and with ten
 * thousand. Three things cost time by their number within one host: regular expressions, routes without a path, and
 * routes of the same host and path that only their further predicates tell apart. Immutable; any thread; finds exact
 * paths, prefixes and templates without allocating.
 */
public final class RouteTable {
    /** Why a request is rejected if it {@link #isEvasion is an evasion}. */
    public static final String EVASION = "The path has parameters in front of a guarded route.";

    private final List<Route> routes;
    private final List<Place> inOrder;
    private final HostIndex index;
    private final List<String> warnings;
    /** The guarded routes alone, each for all clients; null if there are none. */
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
     * @throws ConfigException the first fault, under its key ({@code routes[2].match.path}); the others are suppressed in
     *     it
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

    /** Everything that would keep {@link #build} from building, in the order of the file; empty if nothing would. */
    public static List<ConfigException> faults(List<RouteConfig> configs) {
        List<ConfigException> faults = new ArrayList<>();
        compile(configs, faults);
        return List.copyOf(faults);
    }

    /**
     * The route for a request.
     *
     * @param head its path in normal form
     * @param ingress how it reached the gateway
     * @param random draws among the routes of a weight group; the caller's own, since event loops must not share one
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
     * As {@link #match(RequestHead, InetAddress, RandomGenerator)}, without path parameters if {@code parameters} says so. The
     * head then keeps the path that was sent, unless the route rewrites it.
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
     * Whether path parameters keep the request from a guarded route: the route's host and path match without them, and
     * the client meets another route with them than without. A route is guarded if it rejects all requests by a fixed 4xx
     * response, or has a list of clients. Whether that list names the client does not matter: a client that it leaves out
     * must not reach the path either.
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

    /** @param head with the path that a server may take the sent one for @param met what the sent path meets */
    private boolean hidesGuard(HostIndex guards, @Nullable RouteEntry met, RequestHead head, Ingress ingress) {
        RouteEntry guard = guards.first(head, ingress);
        if (guard == null || (met != null && met.rank() == guard.rank())) {
            return false;
        }
        RouteEntry plain = index.first(head, ingress);
        return plain == null || (guard.rank() <= plain.rank() && (met == null || met.route() != plain.route()));
    }

    /** As {@link #match(RequestHead, InetAddress, RandomGenerator)}, drawing from the thread's own generator. */
    public @Nullable Route match(RequestHead head, Ingress ingress) {
        return match(head, ingress, ThreadLocalRandom.current());
    }

    /** Why a request gets the route it gets; looks at every route, so not for the path of requests. */
    public RouteExplanation explain(RequestHead head, Ingress ingress) {
        return RouteExplanation.of(head, ingress, index.first(head, ingress), inOrder);
    }

    /** Where a guarded path is followed by a wider route to an upstream, one sentence each. */
    public List<String> guardWarnings() {
        return RouteWarnings.guards(inOrder);
    }

    /** All routes, in the order of the file. */
    public List<Route> routes() {
        return routes;
    }

    /** What is allowed but hardly meant, one sentence each: routes that can never be reached, groups of one. */
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
                .map(RouteEntry::forAllClients)
                .toList();
        return guards.isEmpty() ? null : new HostIndex(guards);
    }

    /** Routes that take no traffic get no entry: for the index they don't exist. */
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
