package dev.lychgate.chain;

import dev.lychgate.access.AuthenticationCounts;
import dev.lychgate.config.FilterBudget;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterPhase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The filters of one generation in the order in which they run: the global inbound filters, and a {@link RouteChains}
 * for each route. Thread-safe.
 */
public final class FilterChains {
    private static final FilterSlot[] NONE = {};
    private static final Comparator<Placed> ORDER = Comparator.<Placed>comparingInt(
                    placed -> placed.slot().order())
            .thenComparingInt(Placed::place)
            .thenComparing(placed -> placed.slot().name());

    private final List<Placement> placements;
    private final FilterSlot[] inbound;
    private final FilterSlot[] preflight;
    private final Map<String, RouteChains> routes;
    private final RouteChains elsewhere;
    private final boolean needOriginalRequest;
    private final AuthenticationCounts authentications;
    /** Null if no listener authenticates requests. */
    private final @Nullable ListenerChains authenticate;

    /**
     * A filter and its scope.
     *
     * @param global whether the filter runs for all exchanges
     * @param routes the ids of the routes on which the filter runs, in their configured order
     */
    public record Placement(FilterSlot slot, boolean global, List<String> routes) {}

    private record Placed(FilterSlot slot, int place) {}

    /**
     * The filters of an exchange after routing. In each array, the filters of the route precede the global filters. The
     * arrays must not be modified.
     *
     * @param authenticate the authentication of the route; empty if the route has no authentication
     * @param authorize the authorizers that apply to all routes, then the authorizers of the route
     * @param preflight the filters in {@code inbound} that respond to CORS preflights
     * @param inbound only filters of the route, because the global inbound filters run before routing
     * @param fallback contains the filter that responds after all attempts have failed; empty if there is no such
     *     filter
     */
    @SuppressWarnings("ArrayRecordComponent") // iterated on the request path, and never compared
    public record RouteChains(
            FilterSlot[] authenticate,
            FilterSlot[] authorize,
            FilterSlot[] preflight,
            FilterSlot[] inbound,
            FilterSlot[] endpoint,
            FilterSlot[] error,
            FilterSlot[] outbound,
            FilterSlot[] fallback) {
        private static RouteChains of(
                FilterSlot[] authenticate,
                FilterSlot[] authorize,
                List<Placed> own,
                List<Placed> global,
                @Nullable FilterSlot fallback) {
            FilterSlot[] inbound = chain(own, FilterPhase.INBOUND);
            return new RouteChains(
                    authenticate,
                    authorize,
                    FilterChains.preflight(inbound),
                    inbound,
                    both(own, global, FilterPhase.ENDPOINT),
                    both(own, global, FilterPhase.ERROR),
                    both(own, global, FilterPhase.OUTBOUND),
                    fallback == null ? NONE : new FilterSlot[] {fallback});
        }
    }

    /**
     * The filters that authenticate the requests of listeners. {@code single} contains one entry for each listener that
     * has its own section {@code authenticate}: the name of the listener, with its filters. {@code everywhere} contains
     * the filters for listeners without such a section.
     */
    @SuppressWarnings("ArrayRecordComponent") // iterated on the request path, and never compared
    private record ListenerChains(Map<String, FilterSlot[]> single, FilterSlot[] everywhere) {}

    private FilterChains(
            List<Placement> placements,
            FilterSlot[] inbound,
            Map<String, RouteChains> routes,
            RouteChains elsewhere,
            AuthenticationCounts authentications,
            @Nullable ListenerChains authenticate) {
        this.authentications = authentications;
        this.authenticate = authenticate;
        this.placements = List.copyOf(placements);
        this.inbound = inbound;
        this.preflight = preflight(inbound);
        this.routes = Map.copyOf(routes);
        this.elsewhere = elsewhere;
        this.needOriginalRequest = slots().stream().anyMatch(FilterSlot::needsOriginalRequest);
    }

    /**
     * Builds the chains of a generation.
     *
     * @param filters the filters and their scopes
     * @param routeIds the ids of all routes
     * @param loops number of event loops
     * @param previous the chains of the previous generation, which supply the counters; null for the first generation
     * @throws IllegalArgumentException if a property of a filter is invalid, or if a filter is configured for an
     *     unknown route. Also thrown if two global filters, or two filters of one route, have the same phase and name
     */
    public static FilterChains build(
            FilterSet filters, Set<String> routeIds, int loops, @Nullable FilterChains previous) {
        return build(filters, routeIds, loops, previous, FilterBudget.INHERITED);
    }

    /**
     * Builds the chains like {@link #build(FilterSet, Set, int, FilterChains)}, with a default budget.
     *
     * @param budget the bounds that apply unless a filter declares its own bounds
     */
    public static FilterChains build(
            FilterSet filters, Set<String> routeIds, int loops, @Nullable FilterChains previous, FilterBudget budget) {
        Map<String, FilterStats> known = new HashMap<>();
        if (previous != null) {
            previous.slots().forEach(slot -> known.put(key(slot.phase(), slot.name()), slot.stats()));
        }
        Set<String> names = new HashSet<>();
        List<Placed> global = new ArrayList<>();
        Map<String, List<Placed>> local = new HashMap<>();
        // A filter in several lists has one slot, so its runs are counted together and an ejection applies to all
        // lists.
        IdentityHashMap<Filter, FilterSlot> slots = new IdentityHashMap<>();
        Map<FilterSlot, List<FilterSet.Entry>> entriesOf = new LinkedHashMap<>();
        for (FilterSet.Entry entry : filters.entries()) {
            Filter filter = entry.filter();
            String key = key(filter.phase(), entry.name());
            requireUnique(names, key, entry);
            FilterSlot slot = slots.computeIfAbsent(
                    filter,
                    f -> new FilterSlot(
                            f, entry.use(), known.computeIfAbsent(key, k -> new FilterStats(loops)), budget, loops));
            entriesOf.computeIfAbsent(slot, s -> new ArrayList<>()).add(entry);
            Placed placed = new Placed(slot, entry.place());
            if (entry.isGlobal()) {
                global.add(placed);
            }
            for (String route : entry.routes()) {
                if (!routeIds.contains(route)) {
                    throw new IllegalArgumentException(
                            "filter " + slot.name() + " is assigned to an unknown route: " + route);
                }
                local.computeIfAbsent(route, r -> new ArrayList<>()).add(placed);
            }
        }
        Map<String, FilterSlot> fallbacks = new HashMap<>();
        new TreeMap<>(filters.fallbacks()).forEach((route, filter) -> {
            String key = key(filter.phase(), filter.name());
            FilterSlot slot = slots.computeIfAbsent(
                    filter,
                    f -> new FilterSlot(
                            f, null, known.computeIfAbsent(key, k -> new FilterStats(loops)), budget, loops));
            requireFallback(slot, route, routeIds);
            fallbacks.put(route, slot);
            entriesOf
                    .computeIfAbsent(slot, s -> new ArrayList<>())
                    .add(new FilterSet.Entry(filter, null, Set.of(route), 0));
        });
        AuthenticationCounts authentications = previous == null ? new AuthenticationCounts() : previous.authentications;
        GuardSlots guards = new GuardSlots(filters.access(), authentications, known, budget, loops);
        Map<String, RouteChains> routes = new HashMap<>();
        Set<String> special = new HashSet<>(local.keySet());
        special.addAll(fallbacks.keySet());
        special.addAll(guards.hasAuthorizersOfAllRoutes() ? routeIds : guards.routes());
        special.forEach(route -> routes.put(
                route,
                RouteChains.of(
                        guards.authenticate(route),
                        guards.authorize(route),
                        local.getOrDefault(route, List.of()),
                        global,
                        fallbacks.get(route))));
        List<Placement> placements = new ArrayList<>(guards.placements());
        entriesOf.forEach((slot, entries) -> placements.add(placement(slot, entries)));
        return new FilterChains(
                placements,
                chain(global, FilterPhase.INBOUND),
                routes,
                RouteChains.of(NONE, NONE, List.of(), global, null),
                authentications,
                guards.hasNoListener() ? null : new ListenerChains(guards.ofListeners(), guards.ofAllListeners()));
    }

    private static Placement placement(FilterSlot slot, List<FilterSet.Entry> entries) {
        return new Placement(
                slot,
                entries.stream().anyMatch(FilterSet.Entry::isGlobal),
                entries.stream()
                        .flatMap(entry -> entry.routes().stream().sorted())
                        .distinct()
                        .toList());
    }

    /**
     * Refuses a filter if an earlier filter has the same phase and name, and either both filters are global or they
     * share a route. Logs and counters could not distinguish such filters.
     */
    private static void requireUnique(Set<String> names, String key, FilterSet.Entry entry) {
        boolean first = entry.isGlobal() ? names.add(key) : true;
        for (String route : entry.routes()) {
            first &= names.add(key + " on " + route);
        }
        if (!first) {
            throw new IllegalArgumentException("two " + key.replace("/", " filters have the name ")
                    + ", and both are global or run on the same route");
        }
    }

    private static void requireFallback(FilterSlot slot, String route, Set<String> routeIds) {
        String what = "filter " + slot.name() + " is the fallback of route " + route + ", but ";
        if (!routeIds.contains(route)) {
            throw new IllegalArgumentException(what + "there is no such route");
        }
        if (slot.phase() != FilterPhase.ENDPOINT) {
            throw new IllegalArgumentException(what + "the filter is not an endpoint filter");
        }
        if (slot.bodyLimit() > 0) {
            throw new IllegalArgumentException(
                    what + "the filter declares a body, which the failed attempts may already have consumed");
        }
    }

    static String key(FilterPhase phase, String name) {
        return phase.name().toLowerCase(java.util.Locale.ROOT) + "/" + name;
    }

    private static FilterSlot[] both(List<Placed> own, List<Placed> global, FilterPhase phase) {
        List<FilterSlot> both = new ArrayList<>(List.of(chain(own, phase)));
        both.addAll(List.of(chain(global, phase)));
        return both.toArray(NONE);
    }

    private static FilterSlot[] preflight(FilterSlot[] inbound) {
        return Stream.of(inbound)
                .filter(slot -> slot.filter().respondsToPreflights())
                .toArray(FilterSlot[]::new);
    }

    private static FilterSlot[] chain(List<Placed> of, FilterPhase phase) {
        return of.stream()
                .filter(placed -> placed.slot().phase() == phase)
                .sorted(ORDER)
                .map(Placed::slot)
                .toArray(FilterSlot[]::new);
    }

    /** Returns the endpoint filter with this name on any route; null if there is no such filter. */
    public @Nullable FilterSlot endpoint(String name) {
        return placements.stream()
                .map(Placement::slot)
                .filter(slot ->
                        slot.phase() == FilterPhase.ENDPOINT && slot.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    /** Returns all filters, each once, in the order of their first listing. */
    public List<FilterSlot> slots() {
        return placements.stream().map(Placement::slot).toList();
    }

    /** Returns all filters, each once, with their scopes. */
    public List<Placement> placements() {
        return placements;
    }

    /** Returns whether any filter reads the original request, as it was before filters changed it. */
    public boolean needOriginalRequest() {
        return needOriginalRequest;
    }

    /**
     * Returns the authentication of a listener; empty if the listener has no authentication. The array must not be
     * modified.
     *
     * @param listener the name of the listener
     */
    public FilterSlot[] authenticate(String listener) {
        ListenerChains all = authenticate;
        if (all == null) {
            return NONE;
        }
        FilterSlot[] own = all.single.get(listener);
        return own == null ? all.everywhere : own;
    }

    /** Returns the counts of authentications, which all generations of a gateway share. */
    public AuthenticationCounts authentications() {
        return authentications;
    }

    /** Returns the filters in {@link #inbound} that respond to CORS preflights. The array must not be modified. */
    public FilterSlot[] preflight() {
        return preflight;
    }

    /** Returns the filters that run before routing. The array must not be modified. */
    public FilterSlot[] inbound() {
        return inbound;
    }

    /**
     * Returns the filters that run after routing.
     *
     * @param id the id of the route; null if no route matches the request
     */
    public RouteChains of(@Nullable String id) {
        RouteChains chains = id == null ? null : routes.get(id);
        return chains != null ? chains : elsewhere;
    }
}
