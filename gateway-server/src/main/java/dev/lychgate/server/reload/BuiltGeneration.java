package dev.lychgate.server.reload;

import dev.lychgate.filters.groovy.BuiltFilters;
import dev.lychgate.filters.groovy.FilterSources;
import dev.lychgate.server.filters.FilterAssembly;
import org.jspecify.annotations.Nullable;

/**
 * All that a generation is made of, built and not yet in use.
 *
 * @param assembly settings and filters
 * @param filters those of the directory, to be closed when the generation is out of use for good; null without directory
 * @param sources what they were built from; null without directory
 */
record BuiltGeneration(
        FilterAssembly assembly,
        @Nullable BuiltFilters filters,
        @Nullable FilterSources sources) {
    /** Lets go of what was built. */
    void close() {
        if (filters != null) {
            filters.close();
        }
    }
}
