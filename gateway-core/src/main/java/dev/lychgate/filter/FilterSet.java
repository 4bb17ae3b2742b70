package dev.lychgate.filter;

import dev.lychgate.config.TraceConfig;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Filters, and where each of them runs: everywhere, or on some routes. Immutable. */
public final class FilterSet {
    /** No filters. */
    public static final FilterSet EMPTY = new FilterSet(List.of(), TraceConfig.OFF);

    private final List<Entry> entries;
    private final TraceConfig trace;

    /**
     * A filter and where it runs.
     *
     * @param routes the ids of the routes it runs on; empty = it is global
     */
    public record Entry(Filter filter, Set<String> routes) {
        public Entry {
            routes = Set.copyOf(routes);
        }

        public boolean isGlobal() {
            return routes.isEmpty();
        }
    }

    private FilterSet(List<Entry> entries, TraceConfig trace) {
        this.entries = List.copyOf(entries);
        this.trace = trace;
    }

    /** This set, with some exchanges traced. */
    public FilterSet traced(TraceConfig some) {
        return new FilterSet(entries, some);
    }

    /** Which exchanges have their filters traced. */
    public TraceConfig trace() {
        return trace;
    }

    /** Filters that all run everywhere. */
    public static FilterSet of(Filter... filters) {
        return EMPTY.with(List.of(filters));
    }

    /** This set and more filters, which run everywhere. */
    public FilterSet with(Collection<? extends Filter> global) {
        List<Entry> all = new ArrayList<>(entries);
        global.forEach(filter -> all.add(new Entry(filter, Set.of())));
        return new FilterSet(all, trace);
    }

    /** This set and one more filter, which runs on some routes only. */
    public FilterSet with(Filter filter, Set<String> routes) {
        List<Entry> all = new ArrayList<>(entries);
        all.add(new Entry(filter, routes));
        return new FilterSet(all, trace);
    }

    /** This set and another one; what is traced is what this one says. */
    public FilterSet with(FilterSet others) {
        List<Entry> all = new ArrayList<>(entries);
        all.addAll(others.entries);
        return new FilterSet(all, trace);
    }

    public List<Entry> entries() {
        return entries;
    }
}
