package dev.lychgate.server.filters;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.FilterConfig;
import dev.lychgate.config.Key;
import dev.lychgate.config.RegexBudget;
import dev.lychgate.config.SecretNames;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filters.builtin.BuiltinFilters;
import dev.lychgate.filters.builtin.FilterKind;
import dev.lychgate.filters.groovy.NearMiss;
import dev.lychgate.filters.settings.NamedFilter;
import dev.lychgate.filters.settings.SettingValues;
import dev.lychgate.server.extensions.Contributions;
import dev.lychgate.server.extensions.InstalledExtensions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Resolves the names in lists of filters to built-in filters, filters of extensions, and filters of users. */
final class FilterCatalog {
    private final Map<String, NamedFilter> named;
    private final @Nullable Contributions contributions;
    /** The settings of filters, with masked secrets, by the name of the filter. */
    private final Map<String, List<Map<String, @Nullable Object>>> masked = new HashMap<>();

    private final RegexBudget expressions = new RegexBudget("all filters");

    /** @param contributions the filters of extensions; null if no extension is in use */
    FilterCatalog(Map<String, NamedFilter> named, @Nullable Contributions contributions) {
        this.named = named;
        this.contributions = contributions;
    }

    /**
     * A filter in its phase.
     *
     * @param use the name and settings that the configuration gives to the filter; null if the filter has no settings
     *     and keeps its own name
     */
    record Resolved(Filter filter, FilterSet.@Nullable Use use) {
        String key() {
            return filter.phase() + " " + (use == null ? filter.name() : use.name());
        }
    }

    /**
     * Returns every error in the settings of a filter that is not built in.
     *
     * @param where the place of the filter in the configuration, such as {@code routes[2].filters[0]}
     */
    List<ConfigException> faults(FilterConfig config, String where) {
        NamedFilter filter = named.get(config.name());
        if (filter == null || BuiltinFilters.find(config.name()) != null) {
            return List.of();
        }
        if (filter.settings().isEmpty() && !config.settings().isEmpty()) {
            return List.of(new ConfigException(where, config.name(), "no settings, because this filter declares none"));
        }
        return filter.read(config.settings()).faults().stream()
                .map(fault -> placed(filter, fault, where + "." + config.name() + "." + fault.key()))
                .toList();
    }

    private static ConfigException placed(NamedFilter filter, ConfigException fault, String path) {
        String setting = fault.key().replaceFirst("[.\\[].*", "");
        List<String> known = filter.settingNames();
        if (!known.contains(setting)) {
            @Nullable String near = NearMiss.of(setting, known);
            String problem = near == null ? "unknown setting" : "unknown setting, did you mean '" + near + "'?";
            return new ConfigException(path, problem, fault.expected());
        }
        @Nullable String place = filter.place(setting);
        String declared = place == null ? "" : "; declared at " + place;
        return new ConfigException(path, fault.value(), fault.expected() + declared);
    }

    /**
     * Returns the filters that an element of a list names.
     *
     * @param where the place of the element in the configuration, for error messages, such as
     *     {@code routes[2].filters[0]}
     * @param suffix distinguishes filters with the same name in one list; may be empty
     * @return at least one filter, each in its phase
     * @throws ConfigException if the filter is unknown, or its settings are refused
     */
    List<Resolved> resolve(FilterConfig config, String where, String suffix) {
        FilterKind kind = BuiltinFilters.find(config.name());
        if (kind != null) {
            try {
                return kind.make(config, suffix).stream()
                        .map(filter -> new Resolved(filter, null))
                        .toList();
            } catch (ConfigException e) {
                throw new ConfigException(where + "." + kind.name() + "." + e.key(), e.value(), e.expected());
            }
        }
        List<Filter> contributed = contributions == null ? null : contributions.make(config, where, suffix);
        if (contributed != null) {
            return contributed.stream().map(made -> new Resolved(made, null)).toList();
        }
        NamedFilter filter = named.get(config.name());
        if (filter == null) {
            throw unknown(config.name(), where);
        }
        return List.of(made(filter, config, where, suffix));
    }

    private Resolved made(NamedFilter filter, FilterConfig config, String where, String suffix) {
        SettingValues values = filter.read(config.settings());
        return new Resolved(
                made(filter, values, where + "." + config.name()), distinct(filter.use(values, suffix), values));
    }

    private static Filter made(NamedFilter filter, SettingValues values, String where) {
        try {
            return filter.make(values);
        } catch (ConfigException e) {
            throw new ConfigException(where, e.value(), e.expected());
        }
    }

    /**
     * Adds a number to the name of a filter that differs from an earlier filter only in a masked secret. The numbers
     * follow the order of the configuration.
     */
    private FilterSet.@Nullable Use distinct(FilterSet.@Nullable Use use, SettingValues values) {
        if (use == null || !use.name().contains(SecretNames.MASK)) {
            return use;
        }
        List<Map<String, @Nullable Object>> others = masked.computeIfAbsent(use.name(), name -> new ArrayList<>());
        if (!others.contains(values.all())) {
            others.add(values.all());
        }
        int number = others.indexOf(values.all()) + 1;
        return number == 1 ? use : new FilterSet.Use(use.name() + "~" + number, use.settings());
    }

    /**
     * Counts the regular expressions of a filter against the budget of all filters, before the filter is created.
     *
     * @throws ConfigException if the expressions of all filters exceed the budget
     */
    void charge(FilterConfig config, String where) {
        FilterKind kind = BuiltinFilters.find(config.name());
        NamedFilter other = named.get(config.name());
        List<Key<?>> settings = kind != null ? kind.settings() : other != null ? other.settings() : List.of();
        for (Key<?> key : settings) {
            for (String text : NamedFilter.expressions(key, config.settings())) {
                try {
                    expressions.charge(text);
                } catch (IllegalArgumentException e) {
                    String path = where + "." + config.name() + "." + key.name();
                    throw new ConfigException(path, text, String.valueOf(e.getMessage()));
                }
            }
        }
    }

    /**
     * Returns the endpoint filter that responds as a fallback after the upstream has failed. Built-in filters can't be
     * used for this.
     *
     * @throws ConfigException if the filter is unknown or unsuitable
     */
    Filter fallback(String name, String where) {
        NamedFilter meant = named.get(name);
        if (meant == null) {
            List<String> known = named.values().stream()
                    .filter(other -> other.phase() == FilterPhase.ENDPOINT)
                    .map(NamedFilter::name)
                    .toList();
            @Nullable String near = NearMiss.of(name, known);
            String others = known.isEmpty() ? "no filter has that name" : "one of " + String.join(", ", known);
            throw new ConfigException(
                    where,
                    name,
                    "an endpoint filter of your own"
                            + (near == null ? "; " + others : "; did you mean '" + near + "'?"));
        }
        SettingValues defaults = meant.read(Map.of());
        if (!defaults.faults().isEmpty()) {
            throw new ConfigException(where, name, "an endpoint filter without required settings");
        }
        Filter filter = made(meant, defaults, where);
        if (filter.phase() != FilterPhase.ENDPOINT) {
            throw new ConfigException(
                    where,
                    name,
                    "an endpoint filter; its phase is " + filter.phase().name().toLowerCase(Locale.ROOT));
        }
        if (filter.body().limit() > 0) {
            throw new ConfigException(
                    where, name, "an endpoint filter that needs no request body, because the body may already be sent");
        }
        return filter;
    }

    private ConfigException unknown(String name, String where) {
        List<String> known = new ArrayList<>(BuiltinFilters.names());
        known.addAll(named.keySet());
        if (contributions != null) {
            known.addAll(contributions.names());
        }
        String extension = InstalledExtensions.contributorOf(name);
        if (extension != null) {
            return new ConfigException(where, name, "the key extensions." + extension + ", which provides this filter");
        }
        @Nullable String near = NearMiss.of(name, known);
        String others = named.isEmpty() ? "there is no other filter" : "or one of " + String.join(", ", named.keySet());
        return new ConfigException(
                where, name, near == null ? "a built-in filter; " + others : "a filter; did you mean '" + near + "'?");
    }
}
