package dev.lychgate.server.filters;

import dev.lychgate.chain.FilterChains;
import dev.lychgate.chain.FilterSlot;
import dev.lychgate.filter.Filter;
import dev.lychgate.filters.builtin.BuiltinFilters;
import dev.lychgate.filters.groovy.GroovyFilters;
import dev.lychgate.server.extensions.Contributions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A filter as operators are shown it.
 *
 * @param slot the filter in its place
 * @param beforeRouting whether it runs before a route is looked for
 */
public record FilterSight(FilterSlot slot, boolean beforeRouting) {
    /**
     * What runs for a request of a route, in the order in which it runs: error filters, and the one that
     * {@code on-failure} names, only if something has failed.
     *
     * @param route its id; null for requests that no route matches
     */
    public static List<FilterSight> of(FilterChains chains, @Nullable String route) {
        List<FilterSight> all = new ArrayList<>();
        FilterChains.RouteChains onRoute = chains.of(route);
        add(all, chains.inbound(), true);
        if (route != null) {
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

    /** Where the filter is from: {@code built-in}, {@code extension NAME}, the path of its file below the filter directory, or its class. */
    public String source() {
        Filter filter = slot.filter();
        if (BuiltinFilters.isBuiltIn(filter)) {
            return "built-in";
        }
        String extension = Contributions.extensionOf(filter);
        if (extension != null) {
            return "extension " + extension;
        }
        String file = GroovyFilters.fileOf(filter);
        return file != null ? file : filter.getClass().getName();
    }

    /** In small letters. */
    public String phase() {
        return slot.phase().name().toLowerCase(Locale.ROOT);
    }

    /** In small letters. */
    public String form() {
        return slot.form().name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return phase() + " " + slot.name() + " (order " + slot.order() + ", " + form() + ", " + source() + ")";
    }
}
