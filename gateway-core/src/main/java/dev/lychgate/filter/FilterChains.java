package dev.lychgate.filter;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The filters of one generation in the order in which they run: the global inbound ones, and for each route a
 * {@link RouteChains}. Safe to share.
 */
public final class FilterChains {
    private static final FilterSlot[] NONE = {};
    private static final Comparator<FilterSlot> ORDER =
            Comparator.comparingInt(FilterSlot::order).thenComparing(FilterSlot::name);

    private final List<FilterSlot> slots;
    private final FilterSlot[] inbound;
    private final Map<String, RouteChains> routes;
    private final RouteChains elsewhere;

    /** What runs for an exchange once its route is known: the route's own first, then the global ones. */
    public static final class RouteChains {
        private final FilterSlot[] inbound;
        private final FilterSlot[] endpoint;
        private final FilterSlot[] error;
        private final FilterSlot[] outbound;

        private RouteChains(List<FilterSlot> own, List<FilterSlot> global) {
            this.inbound = chain(own, FilterPhase.INBOUND);
            this.endpoint = both(own, global, FilterPhase.ENDPOINT);
            this.error = both(own, global, FilterPhase.ERROR);
            this.outbound = both(own, global, FilterPhase.OUTBOUND);
        }

        /** The route's own; not to be changed. */
        public FilterSlot[] inbound() {
            return inbound;
        }

        /** Not to be changed. */
        public FilterSlot[] endpoint() {
            return endpoint;
        }

        /** Not to be changed. */
        public FilterSlot[] error() {
            return error;
        }

        /** Not to be changed. */
        public FilterSlot[] outbound() {
            return outbound;
        }
    }

    private FilterChains(
            List<FilterSlot> slots, FilterSlot[] inbound, Map<String, RouteChains> routes, RouteChains elsewhere) {
        this.slots = List.copyOf(slots);
        this.inbound = inbound;
        this.routes = Map.copyOf(routes);
        this.elsewhere = elsewhere;
    }

    /**
     * Puts filters in their places.
     *
     * @param routeIds the routes there are
     * @param loops how many event loops there are
     * @param previous the chains before, whose counters are taken over; null if there are none
     * @throws IllegalArgumentException if a filter's settings can't be used, two of a phase and a place have one name, or a filter is
     *     meant for a route that does not exist
     */
    public static FilterChains build(
            FilterSet filters, Set<String> routeIds, int loops, @Nullable FilterChains previous) {
        Map<String, FilterStats> known = new HashMap<>();
        if (previous != null) {
            previous.slots.forEach(slot -> known.put(key(slot.phase(), slot.name()), slot.stats()));
        }
        Set<String> names = new HashSet<>();
        List<FilterSlot> global = new ArrayList<>();
        Map<String, List<FilterSlot>> local = new HashMap<>();
        List<FilterSlot> all = new ArrayList<>();
        for (FilterSet.Entry entry : filters.entries()) {
            Filter filter = entry.filter();
            String key = key(filter.phase(), filter.name());
            requireUnique(names, key, entry);
            FilterSlot slot = new FilterSlot(filter, known.computeIfAbsent(key, k -> new FilterStats(loops)));
            all.add(slot);
            if (entry.isGlobal()) {
                global.add(slot);
            }
            for (String route : entry.routes()) {
                if (!routeIds.contains(route)) {
                    throw new IllegalArgumentException(
                            "filter " + slot.name() + " is for a route that does not exist: " + route);
                }
                local.computeIfAbsent(route, r -> new ArrayList<>()).add(slot);
            }
        }
        Map<String, RouteChains> routes = new HashMap<>();
        local.forEach((route, own) -> routes.put(route, new RouteChains(own, global)));
        return new FilterChains(all, chain(global, FilterPhase.INBOUND), routes, new RouteChains(List.of(), global));
    }

    /** Two filters of a phase and a name may not meet on one route, nor both be global: nobody could tell them apart. */
    private static void requireUnique(Set<String> names, String key, FilterSet.Entry entry) {
        boolean first = entry.isGlobal() ? names.add(key) : true;
        for (String route : entry.routes()) {
            first &= names.add(key + " on " + route);
        }
        if (!first) {
            throw new IllegalArgumentException("two " + key.replace("/", " filters with the name "));
        }
    }

    private static String key(FilterPhase phase, String name) {
        return phase.name().toLowerCase(java.util.Locale.ROOT) + "/" + name;
    }

    private static FilterSlot[] both(List<FilterSlot> own, List<FilterSlot> global, FilterPhase phase) {
        List<FilterSlot> both = new ArrayList<>(List.of(chain(own, phase)));
        both.addAll(List.of(chain(global, phase)));
        return both.toArray(NONE);
    }

    private static FilterSlot[] chain(List<FilterSlot> of, FilterPhase phase) {
        Predicate<FilterSlot> inPhase = slot -> slot.phase() == phase;
        return of.stream().filter(inPhase).sorted(ORDER).toArray(FilterSlot[]::new);
    }

    /** All filters, as they were given. */
    public List<FilterSlot> slots() {
        return slots;
    }

    /** What runs before routing; not to be changed. */
    public FilterSlot[] inbound() {
        return inbound;
    }

    /** What runs on the route with {@code id}; with null, where no route was found. */
    public RouteChains of(@Nullable String id) {
        RouteChains chains = id == null ? null : routes.get(id);
        return chains != null ? chains : elsewhere;
    }
}
