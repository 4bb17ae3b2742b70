package dev.lychgate.filters.groovy;

import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filters.settings.NamedFilter;

/**
 * A built filter and the file that declares it.
 *
 * @param name the name of the filter, unique within its phase
 * @param phase the phase in which the filter runs
 * @param file the path of the filter's file below the filter directory
 * @param named creates instances of the filter from settings
 */
public record GroovyFilter(String name, FilterPhase phase, String file, NamedFilter named) {
    /**
     * Returns the filter with the default of each setting.
     *
     * @throws dev.lychgate.config.ConfigException if the filter has a setting without a default
     */
    public Filter filter() {
        return named.make();
    }

    /** Returns whether every setting of the filter has a default. */
    public boolean hasDefaults() {
        return named.read(java.util.Map.of()).faults().isEmpty();
    }
}
