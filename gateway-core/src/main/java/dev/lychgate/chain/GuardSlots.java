package dev.lychgate.chain;

import dev.lychgate.access.AccessSet;
import dev.lychgate.access.AuthenticateFilter;
import dev.lychgate.access.AuthenticateSection;
import dev.lychgate.access.AuthenticationCounts;
import dev.lychgate.config.FilterBudget;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterPhase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Builds the slots of the filters that authenticate and authorize requests. */
final class GuardSlots {
    private static final FilterSlot[] NONE = {};

    private final Map<String, FilterStats> known;
    private final FilterBudget budget;
    private final int loops;
    private final List<FilterChains.Placement> placements = new ArrayList<>();
    private final Map<String, FilterSlot[]> listeners = new HashMap<>();
    private final Map<String, FilterSlot[]> authenticate = new HashMap<>();
    private final Map<String, FilterSlot[]> authorize = new HashMap<>();
    private final FilterSlot[] allListeners;
    private final FilterSlot[] allRoutes;

    /**
     * Builds the slots of all filters in {@code access}.
     *
     * @param known the counters of filters, to which the counters of new filters are added
     */
    GuardSlots(
            AccessSet access,
            AuthenticationCounts counts,
            Map<String, FilterStats> known,
            FilterBudget budget,
            int loops) {
        this.known = known;
        this.budget = budget;
        this.loops = loops;
        AuthenticateSection everywhere = access.everywhere();
        this.allListeners = everywhere == null ? NONE : slots(everywhere, counts, true, List.of());
        access.ofListeners().forEach((name, section) -> listeners.put(name, slots(section, counts, true, List.of())));
        access.ofRoutes().forEach((id, section) -> authenticate.put(id, slots(section, counts, false, List.of(id))));
        this.allRoutes = slots(access.authorizers(), true, List.of());
        access.authorizersOfRoutes().forEach((id, filters) -> {
            List<FilterSlot> both = new ArrayList<>(List.of(allRoutes));
            both.addAll(List.of(slots(filters, false, List.of(id))));
            authorize.put(id, both.toArray(NONE));
        });
    }

    private FilterSlot[] slots(
            AuthenticateSection section, AuthenticationCounts counts, boolean global, List<String> routes) {
        return section.authenticators().isEmpty()
                ? NONE
                : slots(List.of(new AuthenticateFilter(section, counts)), global, routes);
    }

    private FilterSlot[] slots(List<Filter> filters, boolean global, List<String> routes) {
        FilterSlot[] slots = new FilterSlot[filters.size()];
        for (int i = 0; i < slots.length; i++) {
            Filter filter = filters.get(i);
            FilterStats stats = known.computeIfAbsent(
                    FilterChains.key(filter.phase(), filter.name()), key -> new FilterStats(loops));
            slots[i] = new FilterSlot(filter, null, stats, budget, loops, true);
            if (slots[i].phase() != FilterPhase.INBOUND) {
                throw new IllegalArgumentException("authorizer " + slots[i].name() + " is not an inbound filter");
            }
            placements.add(new FilterChains.Placement(slots[i], global, routes));
        }
        return slots;
    }

    /** Returns the filters and their scopes. */
    List<FilterChains.Placement> placements() {
        return placements;
    }

    /** Returns the ids of the routes with their own authentication or authorizers. */
    Set<String> routes() {
        Set<String> ids = new HashSet<>(authenticate.keySet());
        ids.addAll(authorize.keySet());
        return ids;
    }

    boolean hasAuthorizersOfAllRoutes() {
        return allRoutes.length > 0;
    }

    /** Returns whether no listener authenticates requests. */
    boolean hasNoListener() {
        return listeners.isEmpty() && allListeners.length == 0;
    }

    /**
     * Returns the filters that authenticate requests on the listeners with their own section {@code authenticate}, by
     * the name of the listener.
     */
    Map<String, FilterSlot[]> ofListeners() {
        return Map.copyOf(listeners);
    }

    /**
     * Returns the filters that authenticate requests on the listeners without their own section {@code authenticate}.
     */
    FilterSlot[] ofAllListeners() {
        return allListeners;
    }

    /** Returns the filters that authenticate requests on a route. */
    FilterSlot[] authenticate(String route) {
        return authenticate.getOrDefault(route, NONE);
    }

    /** Returns the filters that authorize requests on a route. */
    FilterSlot[] authorize(String route) {
        return authorize.getOrDefault(route, allRoutes);
    }
}
