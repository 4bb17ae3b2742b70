package dev.lychgate.chain;

import dev.lychgate.access.AccessSet;
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
 * The filters of a generation, each with the routes on which it runs, and the additional objects that extensions
 * contribute to the generation. Immutable.
 *
 * @param fallbacks the filters that run only after all attempts of an exchange have failed, by the id of the route
 * @param trace selects the exchanges in which filter runs are traced
 * @param inUse counts the exchanges that use this set, so that the closeable objects of the filters are closed after
 *     the last exchange; null if the filters have no such objects
 * @param properties the values of the filters' properties
 * @param buckets the store of rate limits that gateways share; null if no extension provides such a store
 * @param access the authentication and authorization of requests
 */
public record FilterSet(
        List<Entry> entries,
        Map<String, Filter> fallbacks,
        TraceConfig trace,
        @Nullable FilterUse inUse,
        PropertyValues properties,
        @Nullable BucketStore buckets,
        AccessSet access) {
    /** No filters. */
    public static final FilterSet EMPTY =
            new FilterSet(List.of(), Map.of(), TraceConfig.OFF, null, PropertyValues.NONE, null, AccessSet.NONE);

    /**
     * One configured use of a filter type.
     *
     * @param name the name that distinguishes this use from other uses of the filter type
     * @param settings the settings by name, as in the configuration file, including defaults
     */
    public record Use(String name, Map<String, String> settings) {
        public Use {
            settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
        }
    }

    /**
     * A filter and its scope.
     *
     * @param use the settings of the filter; null if the filter has no settings and keeps its own name
     * @param routes the ids of the routes on which the filter runs; empty if the filter is global
     * @param place the position of the filter in its list, from 1; 0 if the filter is in no list. Among filters of
     *     equal order, filters without a list run first, and filters with a list follow by position
     */
    public record Entry(Filter filter, @Nullable Use use, Set<String> routes, int place) {
        public Entry {
            routes = Set.copyOf(routes);
        }

        /** Returns the name of the filter in logs, counters and admin pages. */
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

    /** Returns a copy of this set in which {@code some} contains the settings for tracing. */
    public FilterSet traced(TraceConfig some) {
        return new FilterSet(entries, fallbacks, some, inUse, properties, buckets, access);
    }

    /**
     * Returns a copy of this set. {@code by} counts the exchanges that use the copy; if {@code by} is null, nothing
     * counts them.
     */
    public FilterSet counted(@Nullable FilterUse by) {
        return new FilterSet(entries, fallbacks, trace, by, properties, buckets, access);
    }

    /**
     * Returns this set with a store of shared rate limits.
     *
     * @param store null for a set without shared rate limits
     */
    public FilterSet withBuckets(@Nullable BucketStore store) {
        return new FilterSet(entries, fallbacks, trace, inUse, properties, store, access);
    }

    /** Returns a copy of this set in which {@code other} determines the authentication and authorization. */
    public FilterSet with(AccessSet other) {
        return new FilterSet(entries, fallbacks, trace, inUse, properties, buckets, other);
    }

    /** Returns a copy of this set in which {@code values} are the values of the filters' properties. */
    public FilterSet with(PropertyValues values) {
        return new FilterSet(entries, fallbacks, trace, inUse, values, buckets, access);
    }

    /** Returns a set of filters that run on all routes. */
    public static FilterSet of(Filter... filters) {
        return EMPTY.with(List.of(filters));
    }

    /** Returns a copy with additional filters that run on all routes. */
    public FilterSet with(Collection<? extends Filter> global) {
        List<Entry> all = new ArrayList<>(entries);
        global.forEach(filter -> all.add(new Entry(filter, null, Set.of(), 0)));
        return new FilterSet(all, fallbacks, trace, inUse, properties, buckets, access);
    }

    /** Returns a copy with an additional filter that runs only on some routes. */
    public FilterSet with(Filter filter, Set<String> routes) {
        return with(filter, routes, 0);
    }

    /**
     * Returns a copy with an additional filter.
     *
     * @param routes the ids of the routes on which the filter runs; empty for all routes
     * @param place see {@link Entry}
     */
    public FilterSet with(Filter filter, Set<String> routes, int place) {
        return with(filter, null, routes, place);
    }

    /**
     * Returns a copy with an additional filter.
     *
     * @param use the settings of the filter; null if the filter has no settings and keeps its own name
     */
    public FilterSet with(Filter filter, @Nullable Use use, Set<String> routes, int place) {
        List<Entry> all = new ArrayList<>(entries);
        all.add(new Entry(filter, use, routes, place));
        return new FilterSet(all, fallbacks, trace, inUse, properties, buckets, access);
    }

    /**
     * Returns a copy that also contains the filters of {@code others}. The copy keeps the tracing settings, the
     * counter, the property values and the authentication of this set.
     */
    public FilterSet with(FilterSet others) {
        List<Entry> all = new ArrayList<>(entries);
        all.addAll(others.entries);
        Map<String, Filter> both = new HashMap<>(fallbacks);
        both.putAll(others.fallbacks);
        return new FilterSet(all, both, trace, inUse, properties, buckets, access);
    }

    /**
     * Returns a copy with an endpoint filter that responds after all attempts of an exchange on a route have failed.
     *
     * @param route the id of the route
     */
    public FilterSet withFallback(String route, Filter filter) {
        Map<String, Filter> more = new HashMap<>(fallbacks);
        more.put(route, filter);
        return new FilterSet(entries, more, trace, inUse, properties, buckets, access);
    }
}
