package dev.lychgate.server.filters;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.FilterConfig;
import dev.lychgate.config.RegexBudget;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filters.builtin.BuiltinFilters;
import dev.lychgate.filters.builtin.FilterKind;
import dev.lychgate.filters.builtin.Setting;
import dev.lychgate.filters.groovy.NearMiss;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Knows what a name in a list of filters stands for: a built-in filter first, and else one that somebody brings. */
final class FilterCatalog {
    private final Map<String, Filter> named;
    private final RegexBudget expressions = new RegexBudget("all filters");

    FilterCatalog(Map<String, Filter> named) {
        this.named = named;
    }

    /**
     * The filter that {@code config} speaks of.
     *
     * @param where its place in the configuration, for faults: {@code routes[2].filters[0]}
     * @param suffix tells a built-in filter from others of its name in the same place; may be empty
     * @return what is to run, each in its phase; at least one
     * @throws ConfigException if there is no such filter, or its settings can't be used
     */
    List<Filter> resolve(FilterConfig config, String where, String suffix) {
        FilterKind kind = BuiltinFilters.find(config.name());
        if (kind != null) {
            try {
                return kind.make(config, suffix);
            } catch (ConfigException e) {
                throw new ConfigException(where + "." + kind.name() + "." + e.key(), e.value(), e.expected());
            }
        }
        Filter filter = named.get(config.name());
        if (filter == null) {
            throw unknown(config.name(), where);
        }
        if (!config.settings().isEmpty()) {
            throw new ConfigException(where, config.name(), "no settings for a filter that is not built in");
        }
        return List.of(filter);
    }

    /**
     * Charges the regular expressions of a filter, before it is made.
     *
     * @throws ConfigException if all filters have more than a gateway can hold
     */
    void charge(FilterConfig config, String where) {
        FilterKind kind = BuiltinFilters.find(config.name());
        if (kind == null) {
            return;
        }
        for (Setting setting : kind.settings()) {
            if (setting.type() == Setting.Type.REGEX && config.settings().get(setting.name()) instanceof String text) {
                try {
                    expressions.charge(text);
                } catch (IllegalArgumentException e) {
                    throw new ConfigException(
                            where + "." + kind.name() + "." + setting.name(), text, String.valueOf(e.getMessage()));
                }
            }
        }
    }

    /**
     * The endpoint filter that answers when all else has failed: one that somebody brings, as none that is built in has
     * anything to say to that.
     *
     * @throws ConfigException if there is none, or it can't be used for that
     */
    Filter fallback(String name, String where) {
        Filter filter = named.get(name);
        if (filter == null) {
            List<String> known = named.values().stream()
                    .filter(other -> other.phase() == FilterPhase.ENDPOINT)
                    .map(Filter::name)
                    .toList();
            @Nullable String near = NearMiss.of(name, known);
            String others = known.isEmpty() ? "none has that name" : "one of " + String.join(", ", known);
            throw new ConfigException(
                    where,
                    name,
                    "an endpoint filter of your own"
                            + (near == null ? "; " + others : "; did you mean '" + near + "'?"));
        }
        if (filter.phase() != FilterPhase.ENDPOINT) {
            throw new ConfigException(
                    where,
                    name,
                    "an endpoint filter; its phase is " + filter.phase().name().toLowerCase(Locale.ROOT));
        }
        if (filter.body().limit() > 0) {
            throw new ConfigException(where, name, "an endpoint filter that needs no body: it may be gone by then");
        }
        return filter;
    }

    private ConfigException unknown(String name, String where) {
        List<String> known = new ArrayList<>(BuiltinFilters.names());
        known.addAll(named.keySet());
        @Nullable String near = NearMiss.of(name, known);
        String others = named.isEmpty() ? "there is no other" : "or one of " + String.join(", ", named.keySet());
        return new ConfigException(
                where, name, near == null ? "a built-in filter; " + others : "a filter; did you mean '" + near + "'?");
    }
}
