package dev.lychgate.chain;

import dev.lychgate.config.TraceConfig;
import dev.lychgate.filter.Filter;
import dev.lychgate.limit.BucketStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Filters, and the places in which each of them runs: everywhere, or on some routes; and the other contributions of extensions to a
 * generation. Immutable.
 *
 * @param fallbacks the filters that respond after all attempts have failed, by the id of the route; they run only then
 * @param trace which exchanges have their filters traced
 * @param inUse counts the exchanges, so that objects of the filters can be closed; null if there are no such objects
 * @param properties the values of the filters' properties
 * @param buckets the store of rate limits that gateways share; null if no extension has one
 */
public record FilterSet(
        List<Entry> entries,
        Map<String, Filter> fallbacks,
        TraceConfig trace,
        @Nullable FilterUse inUse,
        PropertyValues properties,
        @Nullable BucketStore buckets) {
    /** No filters. */
    public static final FilterSet EMPTY =
            new FilterSet(List.of(), Map.of(), TraceConfig.OFF, null, PropertyValues.NONE, null);

    /**
     * The settings of a filter and the name that distinguishes it from others of its kind.
     *
     * @param settings the settings by name, in the text form of the configuration, defaults included
     */
    public record Use(String name, Map<String, String> settings) {
        public Use {
            settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
        }
    }

    /**
     * A filter and the places in which it runs.
     *
     * @param use the settings of the filter; null if it has no settings and keeps its own name
     * @param routes the ids of the routes on which it runs; empty if it is global
     * @param place its position in the list that contains it, from 1. Among filters of equal order, the earlier one
     *     runs first. 0 if it is in no list, and runs before the listed filters
     */
    public record Entry(Filter filter, @Nullable Use use, Set<String> routes, int place) {
        public Entry {
            routes = Set.copyOf(routes);
        }

        /** Returns the name under which the filter is counted and shown. */
        public String name() {
            return use == null ? filter.name() : use.name();
        }

        public boolean isGlobal() {
            return routes.isEmpty();
        }
    }

    public FilterSet {
        entries = List.copyOf(entries);
        fallbacks = Map.copyOf(fallbacks);
    }

    /** Returns this set with other settings for tracing. */
    public FilterSet traced(TraceConfig some) {
        return new FilterSet(entries, fallbacks, some, inUse, properties, buckets);
    }

    /** Returns this set with a counter of the exchanges that use it. */
    public FilterSet counted(@Nullable FilterUse by) {
        return new FilterSet(entries, fallbacks, trace, by, properties, buckets);
    }

    /** Returns this set with a store of shared rate limits. @param store null for none */
    public FilterSet withBuckets(@Nullable BucketStore store) {
        return new FilterSet(entries, fallbacks, trace, inUse, properties, store);
    }

    /** Returns this set with other values of the filters' properties. */
    public FilterSet with(PropertyValues values) {
        return new FilterSet(entries, fallbacks, trace, inUse, values, buckets);
    }

    /** Returns a set of filters that all run everywhere. */
    public static FilterSet of(Filter... filters) {
        return EMPTY.with(List.of(filters));
    }

    /** Returns this set with more filters, which run everywhere. */
    public FilterSet with(Collection<? extends Filter> global) {
        List<Entry> all = new ArrayList<>(entries);
        global.forEach(filter -> all.add(new Entry(filter, null, Set.of(), 0)));
        return new FilterSet(all, fallbacks, trace, inUse, properties, buckets);
    }

    /** Returns this set with one more filter, which runs only on some routes. */
    public FilterSet with(Filter filter, Set<String> routes) {
        return with(filter, routes, 0);
    }

    /**
     * Returns this set with one more filter.
     *
     * @param routes the ids of its routes; empty for all
     * @param place see {@link Entry}
     */
    public FilterSet with(Filter filter, Set<String> routes, int place) {
        return with(filter, null, routes, place);
    }

    /**
     * Returns this set with one more filter.
     *
     * @param use its settings; null if it has no settings and keeps its own name
     */
    public FilterSet with(Filter filter, @Nullable Use use, Set<String> routes, int place) {
        List<Entry> all = new ArrayList<>(entries);
        all.add(new Entry(filter, use, routes, place));
        return new FilterSet(all, fallbacks, trace, inUse, properties, buckets);
    }

    /** Returns this set with the filters of {@code others}. The settings for tracing and counting remain the same. */
    public FilterSet with(FilterSet others) {
        List<Entry> all = new ArrayList<>(entries);
        all.addAll(others.entries);
        Map<String, Filter> both = new HashMap<>(fallbacks);
        both.putAll(others.fallbacks);
        return new FilterSet(all, both, trace, inUse, properties, buckets);
    }

    /**
     * Returns this set with an endpoint filter that responds after all attempts of a route have failed.
     *
     * @param route the id of the route
     */
    public FilterSet withFallback(String route, Filter filter) {
        Map<String, Filter> more = new HashMap<>(fallbacks);
        more.put(route, filter);
        return new FilterSet(entries, more, trace, inUse, properties, buckets);
    }
}
