package dev.lychgate.server.filters;

import dev.lychgate.config.ConfigException;
import dev.lychgate.filter.Filter;
import dev.lychgate.filters.builtin.BuiltinFilters;
import dev.lychgate.filters.settings.NamedFilter;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/** User-defined filters that the configuration may name. */
public final class NamedFilters {
    private NamedFilters() {}

    /**
     * Returns new objects of the filters that {@link ServiceLoader} finds on the class path.
     *
     * @throws ConfigException if a filter can't be created, or its name is already in use
     */
    public static Map<String, NamedFilter> services() {
        Map<String, NamedFilter> named = new LinkedHashMap<>();
        try {
            ServiceLoader.load(Filter.class).forEach(filter -> add(named, filter));
        } catch (ServiceConfigurationError e) {
            throw new ConfigException(
                    "filters", String.valueOf(e.getMessage()), "filter services that can be instantiated");
        }
        return named;
    }

    /**
     * Returns filters by their names.
     *
     * @throws ConfigException if another filter or a built-in filter has the same name
     */
    public static Map<String, NamedFilter> of(Collection<? extends Filter> filters) {
        Map<String, NamedFilter> named = new LinkedHashMap<>();
        filters.forEach(filter -> add(named, filter));
        return named;
    }

    private static void add(Map<String, NamedFilter> named, Filter filter) {
        add(named, NamedFilter.of(filter));
    }

    /**
     * Adds a filter.
     *
     * @throws ConfigException if another filter or a built-in filter has the same name
     */
    public static void add(Map<String, NamedFilter> named, NamedFilter filter) {
        String name = filter.name();
        if (BuiltinFilters.find(name) != null) {
            throw new ConfigException("filters", name, "a name that no built-in filter has, for " + filter.code());
        }
        NamedFilter other = named.putIfAbsent(name, filter);
        if (other != null) {
            throw new ConfigException("filters", name, "different names for " + other.code() + " and " + filter.code());
        }
    }
}
