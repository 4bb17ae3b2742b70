package dev.lychgate.filters.groovy;

import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filters.settings.NamedFilter;

/**
 * A built filter and the file that declares it.
 *
 * @param name unique within its phase
 * @param phase the phase in which it runs
 * @param file the path of its file below the filter directory
 * @param named creates the filter from its settings
 */
public record GroovyFilter(String name, FilterPhase phase, String file, NamedFilter named) {
    /**
     * Returns the filter with the defaults of its settings.
     *
     * @throws dev.lychgate.config.ConfigException if a setting is required
     */
    public Filter filter() {
        return named.make();
    }

    /** Returns whether no setting is required. */
    public boolean hasDefaults() {
        return named.read(java.util.Map.of()).faults().isEmpty();
    }
}
