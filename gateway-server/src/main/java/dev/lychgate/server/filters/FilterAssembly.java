package dev.lychgate.server.filters;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.FilterConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.filter.Filter;
import dev.lychgate.generation.TraceRule;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All that a generation is built from: settings, and the filters they speak of. This is where whoever has read a
 * configuration, and has filters of his own by name, gets what {@link dev.lychgate.Lychgate#apply(FilterAssembly)} takes.
 *
 * @param config the settings
 * @param filters the filters that they name, each where it is to run and at its place in its list
 */
public record FilterAssembly(GatewayConfig config, FilterSet filters) {
    /**
     * Makes the filters that {@code config} names.
     *
     * @param named filters that it may refer to beside the built-in ones, by name; one object may serve several routes
     * @throws ConfigException with the first fault, its key being the path from the top
     */
    public static FilterAssembly of(GatewayConfig config, Map<String, Filter> named) {
        Building building = new Building(config, named);
        if (!building.faults.isEmpty()) {
            throw building.faults.get(0);
        }
        return new FilterAssembly(config, building.set);
    }

    /** Every fault of {@link #of}; empty if all is well. */
    public static List<ConfigException> faults(GatewayConfig config, Map<String, Filter> named) {
        return new Building(config, named).faults;
    }

    private static final class Building {
        private final FilterCatalog catalog;
        private final List<ConfigException> faults = new ArrayList<>();
        private FilterSet set;

        Building(GatewayConfig config, Map<String, Filter> named) {
            this.catalog = new FilterCatalog(named);
            this.set = FilterSet.EMPTY.traced(config.filters().trace());
            for (ConfigException fault : TraceRule.faults(config.filters().trace())) {
                faults.add(new ConfigException("filters.trace." + fault.key(), fault.value(), fault.expected()));
            }
            add(config.filters().global(), "filters.global", Set.of());
            for (int i = 0; i < config.routes().size(); i++) {
                RouteConfig route = config.routes().get(i);
                add(route.filters(), "routes[" + i + "].filters", Set.of(route.id()));
                addFallback(route, "routes[" + i + "].on-failure.filter");
            }
        }

        private void add(List<FilterConfig> list, String where, Set<String> routes) {
            Set<String> names = new HashSet<>();
            for (int i = 0; i < list.size(); i++) {
                String here = where + "[" + i + "]";
                try {
                    catalog.charge(list.get(i), here);
                    for (Filter filter : unlike(names, list.get(i), here)) {
                        set = set.with(filter, routes, i + 1);
                    }
                } catch (ConfigException e) {
                    faults.add(e);
                }
            }
        }

        private void addFallback(RouteConfig route, String where) {
            String name = route.resilience().onFailure().filter();
            if (name != null) {
                try {
                    set = set.withFallback(route.id(), catalog.fallback(name, where));
                } catch (ConfigException e) {
                    faults.add(e);
                }
            }
        }

        /** Two of a list may be about the same field; what they are counted by still has to tell them apart. */
        private List<Filter> unlike(Set<String> names, FilterConfig config, String where) {
            List<Filter> filters = catalog.resolve(config, where, "");
            for (int n = 2; filters.stream().anyMatch(filter -> names.contains(key(filter))); n++) {
                List<Filter> again = catalog.resolve(config, where, " (" + n + ")");
                if (again.equals(filters)) {
                    throw new ConfigException(where, config.name(), "each filter once");
                }
                filters = again;
            }
            filters.forEach(filter -> names.add(key(filter)));
            return filters;
        }

        private static String key(Filter filter) {
            return filter.phase() + " " + filter.name();
        }
    }
}
