package dev.lychgate.server.filters;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.chain.FilterUse;
import dev.lychgate.chain.PropertyValues;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.FilterConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.filter.Filter;
import dev.lychgate.filters.groovy.NearMiss;
import dev.lychgate.filters.settings.NamedFilter;
import dev.lychgate.filters.settings.SettingValues;
import dev.lychgate.filters.state.GenerationObjects;
import dev.lychgate.filters.state.LiveProperties;
import dev.lychgate.filters.state.SharedState;
import dev.lychgate.generation.TraceRule;
import dev.lychgate.limit.BucketStore;
import dev.lychgate.limit.RateLimits;
import dev.lychgate.server.extensions.Contributions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings of a generation and the filters that these settings name, for
 * {@link dev.lychgate.Lychgate#apply(FilterAssembly)}.
 *
 * @param filters the filters, each with its routes and its position in the list of filters
 * @param contributions the filters of extensions; null if no extension is in use
 */
public record FilterAssembly(
        GatewayConfig config, FilterSet filters, @Nullable Contributions contributions) implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FilterAssembly.class);

    /** Creates an assembly without extensions. */
    public FilterAssembly(GatewayConfig config, FilterSet filters) {
        this(config, filters, null);
    }

    /**
     * Creates the filters that {@code config} names.
     *
     * @param named the filters that {@code config} may name in addition to the built-in filters; one object may serve
     *     several routes
     * @throws ConfigException if the configuration has errors; the exception describes the first error, and the key of
     *     the exception is the path from the top
     */
    public static FilterAssembly of(GatewayConfig config, Map<String, NamedFilter> named) {
        Map<String, List<String>> values = config.filters().properties();
        LiveProperties properties = new LiveProperties(values);
        FilterAssembly made = of(config, named, new GenerationObjects(new SharedState(), properties), faults -> {
            throw faults.get(0);
        });
        try {
            FilterAssembly complete = made.with(config, properties.values(values));
            unread(config, properties).forEach(fault -> LOG.warn("{}", fault.getMessage()));
            return complete;
        } catch (ConfigException e) {
            made.close();
            throw e;
        }
    }

    /**
     * Creates the filters that {@code config} names.
     *
     * @param objects the objects of the generation; objects of extensions are added to them
     * @param refuse receives all errors, if there are any, and throws an exception
     */
    public static <E extends Exception> FilterAssembly of(
            GatewayConfig config, Map<String, NamedFilter> named, GenerationObjects objects, Refusal<E> refuse)
            throws E {
        Building building = new Building(config, named, objects);
        FilterAssembly made = new FilterAssembly(config, building.set, building.contributions);
        if (!building.faults.isEmpty()) {
            made.close();
            refuse.of(building.faults);
            return made;
        }
        if (made.contributions == null) {
            return made;
        }
        objects.complete();
        return made.counted(objects.use());
    }

    /** Throws an exception for the errors of a configuration. */
    public interface Refusal<E extends Exception> {
        void of(List<ConfigException> faults) throws E;
    }

    /** Returns all errors that {@link #of} would report; empty if there are none. */
    public static List<ConfigException> faults(GatewayConfig config, Map<String, NamedFilter> named) {
        List<ConfigException> all = new ArrayList<>();
        LiveProperties properties = new LiveProperties(config.filters().properties());
        of(config, named, new GenerationObjects(new SharedState(), properties), all::addAll)
                .close();
        all.addAll(properties.faults(config.filters().properties()));
        return all;
    }

    /** Returns the configured properties that no filter reads, for warnings. */
    public static List<ConfigException> unread(GatewayConfig config, LiveProperties properties) {
        Set<String> read = properties.names();
        return config.filters().properties().keySet().stream()
                .filter(name -> !read.contains(name))
                .map(name -> {
                    String near = NearMiss.of(name, read);
                    return new ConfigException(
                            "filters.properties." + name,
                            "no filter reads this property",
                            near != null
                                    ? "did you mean '" + near + "'?"
                                    : read.isEmpty() ? "no properties" : "one of " + read);
                })
                .toList();
    }

    /**
     * Returns a copy of this assembly with more filters. These filters run for all requests, with their default
     * settings.
     */
    public FilterAssembly with(List<NamedFilter> everywhere) {
        FilterSet all = filters;
        for (NamedFilter each : everywhere) {
            SettingValues defaults = each.read(Map.of());
            all = all.with(each.make(defaults), each.use(defaults, ""), Set.of(), 0);
        }
        return new FilterAssembly(config, all, contributions);
    }

    /** Returns a copy of this assembly with other settings and other property values. */
    public FilterAssembly with(GatewayConfig changed, PropertyValues values) {
        return new FilterAssembly(changed, filters.with(values), contributions);
    }

    /** Returns this assembly with other settings, which must not affect the filters. */
    public FilterAssembly with(GatewayConfig changed) {
        return new FilterAssembly(changed, filters, contributions);
    }

    /**
     * Returns this assembly with a counter of exchanges.
     *
     * @param by the counter; null if exchanges are not counted
     */
    public FilterAssembly counted(@Nullable FilterUse by) {
        return new FilterAssembly(config, filters.counted(by), contributions);
    }

    /**
     * Closes the extensions and the objects of filters. Exchanges must not use filters of the assembly after this call.
     */
    @Override
    public void close() {
        FilterUse use = filters.inUse();
        if (use != null) {
            use.end();
        }
        if (contributions != null) {
            contributions.close();
        }
    }

    private static final class Building {
        private final FilterCatalog catalog;
        private final List<ConfigException> faults = new ArrayList<>();
        private FilterSet set;

        private final @Nullable Contributions contributions;

        Building(GatewayConfig config, Map<String, NamedFilter> named, GenerationObjects objects) {
            this.contributions = config.extensions().isEmpty() ? null : opened(config, named, objects);
            this.catalog = new FilterCatalog(named, contributions);
            BucketStore buckets = contributions == null ? null : contributions.buckets();
            this.set = FilterSet.EMPTY.traced(config.filters().trace()).withBuckets(buckets);
            if (faults.isEmpty()) {
                faults.addAll(RateLimits.faults(config, buckets != null));
            }
            for (ConfigException fault : TraceRule.faults(config.filters().trace())) {
                faults.add(new ConfigException("filters.trace." + fault.key(), fault.value(), fault.expected()));
            }
            add(config.filters().global(), "filters.global", Set.of());
            for (int i = 0; i < config.routes().size(); i++) {
                RouteConfig route = config.routes().get(i);
                add(route.filters(), "routes[" + i + "].filters", Set.of(route.id()));
                addFallback(route, "routes[" + i + "].on-failure.filter");
            }
            boolean opened = contributions != null || config.extensions().isEmpty();
            if (opened && config.hasAuthentication()) {
                set = set.with(new GuardAssembly(contributions, faults).of(config));
            }
        }

        private @Nullable Contributions opened(
                GatewayConfig config, Map<String, NamedFilter> named, GenerationObjects objects) {
            try {
                Contributions opened = Contributions.open(config.extensions(), objects);
                for (String name : opened.names()) {
                    NamedFilter other = named.get(name);
                    if (other != null) {
                        String both = "another name for the filter of " + other.code()
                                + "; a filter of an extension already has this name";
                        faults.add(new ConfigException("extensions", "filter " + name, both));
                    }
                }
                return opened;
            } catch (ConfigException e) {
                faults.add(e);
                return null;
            }
        }

        private void add(List<FilterConfig> list, String where, Set<String> routes) {
            Set<String> names = new HashSet<>();
            Set<Filter> filters = Collections.newSetFromMap(new IdentityHashMap<>());
            for (int i = 0; i < list.size(); i++) {
                String here = where + "[" + i + "]";
                try {
                    catalog.charge(list.get(i), here);
                    List<ConfigException> wrong = catalog.faults(list.get(i), here);
                    faults.addAll(wrong);
                    if (wrong.isEmpty()) {
                        for (FilterCatalog.Resolved one : unlike(names, filters, list.get(i), here)) {
                            set = set.with(one.filter(), one.use(), routes, i + 1);
                        }
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

        /**
         * Resolves a filter. If the list already contains a filter with this name, adds a number to the name of the new
         * filter, because two filters with one name would share their counters.
         */
        private List<FilterCatalog.Resolved> unlike(
                Set<String> names, Set<Filter> list, FilterConfig config, String where) {
            List<FilterCatalog.Resolved> filters = catalog.resolve(config, where, "");
            if (filters.stream().anyMatch(one -> !list.add(one.filter()))) {
                String unless = filters.get(0).use() == null ? "" : ", or with other settings";
                throw new ConfigException(where, config.name(), "each filter at most once in a list" + unless);
            }
            for (int n = 2; filters.stream().anyMatch(filter -> names.contains(filter.key())); n++) {
                filters = catalog.resolve(config, where, " (" + n + ")");
            }
            filters.forEach(filter -> names.add(filter.key()));
            return filters;
        }
    }
}
