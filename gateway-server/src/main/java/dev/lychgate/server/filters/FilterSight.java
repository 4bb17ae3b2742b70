package dev.lychgate.server.filters;

import dev.lychgate.access.AuthenticateFilter;
import dev.lychgate.chain.FilterChains;
import dev.lychgate.chain.FilterSlot;
import dev.lychgate.filter.Filter;
import dev.lychgate.filters.builtin.BuiltinFilters;
import dev.lychgate.filters.groovy.GroovyFilters;
import dev.lychgate.server.extensions.Contributions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A filter as the admin interface shows it.
 *
 * @param slot the filter at its position
 * @param beforeRouting whether the filter runs before routing
 */
public record FilterSight(FilterSlot slot, boolean beforeRouting) {
    /**
     * Returns the filters for requests of a route in the order in which they run. Error filters and the filter of
     * {@code on-failure} run only after a failure.
     *
     * @param listener the name of the listener; null to omit the authentication of the listener
     * @param route the id of the route; null for requests that no route matches
     */
    public static List<FilterSight> of(FilterChains chains, @Nullable String listener, @Nullable String route) {
        List<FilterSight> all = new ArrayList<>();
        FilterChains.RouteChains onRoute = chains.of(route);
        if (listener != null) {
            add(all, chains.authenticate(listener), true);
        }
        add(all, chains.inbound(), true);
        if (route != null) {
            add(all, onRoute.authenticate(), false);
            add(all, onRoute.authorize(), false);
            add(all, onRoute.inbound(), false);
            add(all, onRoute.endpoint(), false);
            add(all, onRoute.fallback(), false);
        }
        add(all, onRoute.error(), false);
        add(all, onRoute.outbound(), false);
        return all;
    }

    private static void add(List<FilterSight> to, FilterSlot[] chain, boolean beforeRouting) {
        for (FilterSlot slot : chain) {
            to.add(new FilterSight(slot, beforeRouting));
        }
    }

    /**
     * Returns the source of the filter: {@code built-in}, {@code extension NAME}, the path of a file in the filter
     * directory, or a class.
     */
    public String source() {
        Filter filter = slot.filter();
        if (BuiltinFilters.isBuiltIn(filter) || filter instanceof AuthenticateFilter) {
            return "built-in";
        }
        String extension = Contributions.extensionOf(filter);
        if (extension != null) {
            return "extension " + extension;
        }
        String file = GroovyFilters.fileOf(filter);
        return file != null ? file : filter.getClass().getName();
    }
}
