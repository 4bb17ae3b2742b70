package dev.lychgate.filters.groovy;

import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterPhase;

/**
 * A filter that has been built, and where it is from.
 *
 * @param name unique within its phase
 * @param phase when it runs
 * @param file its path below the filter directory
 * @param filter the filter itself
 */
public record GroovyFilter(String name, FilterPhase phase, String file, Filter filter) {}
