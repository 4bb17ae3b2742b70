package dev.lychgate.chain;

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
    private final Map<String, RouteChains> routes;
    private final RouteChains elsewhere;
    private final boolean needOriginalRequest;

    /**
     * A filter and the places in which it runs.
     *
     * @param global whether the filter runs everywhere
     * @param routes the ids of the routes on which it runs, in their configured order
     */
    public record Placement(FilterSlot slot, boolean global, List<String> routes) {}

    private record Placed(FilterSlot slot, int place) {}

    /**
     * The filters of an exchange once its route is known: first the filters of the route, then the global ones. The arrays
     * must not be modified.
     *
     * @param inbound only the filters of the route
     * @param fallback the filter that responds after all attempts have failed: one filter or none
     */
    @SuppressWarnings("ArrayRecordComponent") // iterated on the request path, and never compared
    public record RouteChains(
            FilterSlot[] inbound,
            FilterSlot[] endpoint,
            FilterSlot[] error,
            FilterSlot[] outbound,
            FilterSlot[] fallback) {
        private static RouteChains of(List<Placed> own, List<Placed> global, @Nullable FilterSlot fallback) {
            return new RouteChains(
                    chain(own, FilterPhase.INBOUND),
                    both(own, global, FilterPhase.ENDPOINT),
                    both(own, global, FilterPhase.ERROR),
                    both(own, global, FilterPhase.OUTBOUND),
                    fallback == null ? NONE : new FilterSlot[] {fallback});
        }
    }

    private FilterChains(
            List<Placement> placements, FilterSlot[] inbound, Map<String, RouteChains> routes, RouteChains elsewhere) {
        this.placements = List.copyOf(placements);
        this.inbound = inbound;
        this.routes = Map.copyOf(routes);
        this.elsewhere = elsewhere;
        this.needOriginalRequest = slots().stream().anyMatch(FilterSlot::needsOriginalRequest);
    }

    /**
     * Puts filters in their places.
     *
     * @param routeIds the ids of all routes
     * @param loops number of event loops
     * @param previous the previous chains, which supply the counters; null if there are none
     * @throws IllegalArgumentException if the settings of a filter can't be used, two filters of the same phase and
     *     place have the same name, or a filter is configured for a route that does not exist
     */
    public static FilterChains build(
            FilterSet filters, Set<String> routeIds, int loops, @Nullable FilterChains previous) {
        return build(filters, routeIds, loops, previous, FilterBudget.INHERITED);
    }

    /**
     * Works like {@link #build(FilterSet, Set, int, FilterChains)}.
     *
     * @param budget bounds for filters that do not declare their own
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
        // A filter that is in several lists is one filter, which is counted and ejected as a whole.
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
                            "filter " + slot.name() + " is for a route that does not exist: " + route);
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
        Map<String, RouteChains> routes = new HashMap<>();
        Set<String> special = new HashSet<>(local.keySet());
        special.addAll(fallbacks.keySet());
        special.forEach(route ->
                routes.put(route, RouteChains.of(local.getOrDefault(route, List.of()), global, fallbacks.get(route))));
        List<Placement> placements = new ArrayList<>();
        entriesOf.forEach((slot, entries) -> placements.add(placement(slot, entries)));
        return new FilterChains(
                placements, chain(global, FilterPhase.INBOUND), routes, RouteChains.of(List.of(), global, null));
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
     * Requires that two filters with the same phase and name neither share a route nor are both global, because they
     * could not be distinguished.
     */
    private static void requireUnique(Set<String> names, String key, FilterSet.Entry entry) {
        boolean first = entry.isGlobal() ? names.add(key) : true;
        for (String route : entry.routes()) {
            first &= names.add(key + " on " + route);
        }
        if (!first) {
            throw new IllegalArgumentException("two " + key.replace("/", " filters with the name "));
        }
    }

    private static void requireFallback(FilterSlot slot, String route, Set<String> routeIds) {
        String what = "filter " + slot.name() + ", for when all of route " + route + " has failed, ";
        if (!routeIds.contains(route)) {
            throw new IllegalArgumentException(what + "is for a route that does not exist");
        }
        if (slot.phase() != FilterPhase.ENDPOINT) {
            throw new IllegalArgumentException(what + "is no endpoint filter");
        }
        if (slot.bodyLimit() > 0) {
            throw new IllegalArgumentException(what + "asks for a body that may be gone by then");
        }
    }

    private static String key(FilterPhase phase, String name) {
        return phase.name().toLowerCase(java.util.Locale.ROOT) + "/" + name;
    }

    private static FilterSlot[] both(List<Placed> own, List<Placed> global, FilterPhase phase) {
        List<FilterSlot> both = new ArrayList<>(List.of(chain(own, phase)));
        both.addAll(List.of(chain(global, phase)));
        return both.toArray(NONE);
    }

    private static FilterSlot[] chain(List<Placed> of, FilterPhase phase) {
        return of.stream()
                .filter(placed -> placed.slot().phase() == phase)
                .sorted(ORDER)
                .map(Placed::slot)
                .toArray(FilterSlot[]::new);
    }

    /** Returns the endpoint filter of that name, regardless of its routes; null if there is none. */
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

    /** Returns all filters, each once, with the places in which they run. */
    public List<Placement> placements() {
        return placements;
    }

    /** Returns whether a filter reads requests as they were before filters changed them. */
    public boolean needOriginalRequest() {
        return needOriginalRequest;
    }

    /** Returns the filters that run before routing. The array must not be modified. */
    public FilterSlot[] inbound() {
        return inbound;
    }

    /**
     * Returns the filters that run on the route with {@code id}; null = the filters that run if no route was found.
     */
    public RouteChains of(@Nullable String id) {
        RouteChains chains = id == null ? null : routes.get(id);
        return chains != null ? chains : elsewhere;
    }
}
