package dev.lychgate.server.reload;

import dev.lychgate.chain.FilterUse;
import dev.lychgate.filters.groovy.BuiltFilters;
import dev.lychgate.server.filters.FilterAssembly;
import org.jspecify.annotations.Nullable;

/**
 * A generation that is built, but not necessarily in use.
 *
 * @param assembly its settings and filters
 * @param files the files that it was built from
 * @param begin gives the state of the filters to the gateway; runs when the generation has taken over
 * @param release releases the filters of the directory; runs once, when the generation cannot be used again
 */
record BuiltGeneration(FilterAssembly assembly, FilesRead files, Runnable begin, Runnable release) {
    /** Returns a generation with the filters of the directory. @param filters null = there is no directory */
    static BuiltGeneration of(FilterAssembly assembly, FilesRead files, @Nullable BuiltFilters filters) {
        return filters == null
                ? new BuiltGeneration(assembly, files, () -> {}, () -> {})
                : new BuiltGeneration(assembly.counted(filters.use()), files, filters::tookOver, filters::close);
    }

    /** Returns this generation with other files, which differ only in certificates: each swap reads those again. */
    BuiltGeneration with(FilesRead others) {
        return new BuiltGeneration(assembly, others, begin, release);
    }

    /** The generation has taken over. */
    void tookOver() {
        begin.run();
    }

    /** Returns whether replacing it closes objects of its filters, so that it does not run a second time. */
    boolean isClosedWhenReplaced() {
        return assembly.filters().inUse() != null;
    }

    /** Returns whether both run the same filter objects. */
    @SuppressWarnings("ReferenceEquality") // compares the identity of the closed object and not its content
    boolean sharesObjects(BuiltGeneration other) {
        FilterUse use = assembly.filters().inUse();
        return use == other.assembly.filters().inUse();
    }

    /** Releases the filters of the directory. Exchanges may still use them. */
    void forget() {
        release.run();
    }

    /** Releases all filters and closes the extensions. No exchange uses them, now or later. */
    void close() {
        release.run();
        assembly.close();
    }
}
