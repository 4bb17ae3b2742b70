package dev.lychgate.server.filters;

import dev.lychgate.config.ConfigException;
import dev.lychgate.filters.groovy.FilterFault;
import dev.lychgate.filters.groovy.GroovyFilters;
import dev.lychgate.generation.SelfCheckException;

/** Where the filter is that a generation was refused for. */
public final class FilterPlaces {
    private FilterPlaces() {}

    /**
     * What is wrong, in one line.
     *
     * @param otherwise what to say if it is not about a filter of the directory
     * @return {@code file:line: message} if it is
     */
    public static String line(ConfigException refused, String otherwise) {
        if (refused.getCause() instanceof SelfCheckException check && check.getCause() != null) {
            FilterFault fault =
                    GroovyFilters.fault(check.filter(), check.getCause(), String.valueOf(check.getMessage()));
            if (fault != null) {
                return fault.toString();
            }
        }
        return otherwise;
    }
}
