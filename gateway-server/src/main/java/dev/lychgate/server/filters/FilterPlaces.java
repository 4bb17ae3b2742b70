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
     * @param elsewhere what stands before it if it is not about a filter of the directory: the configuration, with a colon
     * @return {@code file:line: message} if it is
     */
    public static String line(ConfigException refused, String elsewhere) {
        if (refused.getCause() instanceof SelfCheckException check && check.getCause() != null) {
            FilterFault fault =
                    GroovyFilters.fault(check.filter(), check.getCause(), String.valueOf(check.getMessage()));
            if (fault != null) {
                return fault.toString();
            }
        }
        return elsewhere + refused.getMessage();
    }
}
