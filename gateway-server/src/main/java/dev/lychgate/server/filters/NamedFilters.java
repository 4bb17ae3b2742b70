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

/** Filters that configuration may refer to by their names, and that do not come with the gateway. */
public final class NamedFilters {
    private NamedFilters() {}

    /**
     * Those that the class path brings, as {@link ServiceLoader} finds them under {@code META-INF/services}. Each is made
     * once.
     *
     * @throws ConfigException if one can't be made, or its name is not its own
     */
    public static Map<String, NamedFilter> services() {
        Map<String, NamedFilter> named = new LinkedHashMap<>();
        try {
            ServiceLoader.load(Filter.class).forEach(filter -> add(named, filter));
        } catch (ServiceConfigurationError e) {
            throw new ConfigException("filters", String.valueOf(e.getMessage()), "filter services that can be made");
        }
        return named;
    }

    /** By name. @throws ConfigException if two have one name, or one has that of a built-in filter */
    public static Map<String, NamedFilter> of(Collection<? extends Filter> filters) {
        Map<String, NamedFilter> named = new LinkedHashMap<>();
        filters.forEach(filter -> add(named, filter));
        return named;
    }

    private static void add(Map<String, NamedFilter> named, Filter filter) {
        add(named, NamedFilter.of(filter));
    }

    /** Adds a filter. @throws ConfigException if its name is that of another */
    public static void add(Map<String, NamedFilter> named, NamedFilter filter) {
        String name = filter.name();
        if (BuiltinFilters.find(name) != null) {
            throw new ConfigException("filters", name, "a name that no built-in filter has, for " + filter.code());
        }
        NamedFilter other = named.putIfAbsent(name, filter);
        if (other != null) {
            throw new ConfigException(
                    "filters", name, "a name of its own for each of " + other.code() + " and " + filter.code());
        }
    }
}
