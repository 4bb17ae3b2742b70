package dev.lychgate.server.reload;

import dev.lychgate.chain.FilterUse;
import dev.lychgate.config.ConfigException;
import dev.lychgate.filters.groovy.BuiltFilters;
import dev.lychgate.filters.state.GenerationObjects;
import dev.lychgate.filters.state.LiveProperties;
import dev.lychgate.server.filters.FilterAssembly;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A generation that is built, but not necessarily in use.
 *
 * @param assembly its settings and filters
 * @param properties the properties that its filters read
 * @param begin gives the state of the filters to the gateway; runs when the generation has taken over
 * @param release releases the filters of the directory; runs once, when the generation cannot be used again
 */
record BuiltGeneration(
        FilterAssembly assembly, FilesRead files, LiveProperties properties, Runnable begin, Runnable release) {
    /**
     * Returns a generation with the filters of the directory.
     *
     * @param filters null = there is no directory
     * @param objects the objects of its filters and extensions
     */
    static BuiltGeneration of(
            FilterAssembly assembly, FilesRead files, @Nullable BuiltFilters filters, GenerationObjects objects) {
        if (filters != null) {
            return new BuiltGeneration(
                    assembly.counted(filters.use()), files, filters.properties(), filters::tookOver, filters::close);
        }
        LiveProperties properties = objects.properties();
        return assembly.contributions() == null
                ? new BuiltGeneration(assembly, files, properties, () -> {}, () -> {})
                : new BuiltGeneration(assembly, files, properties, objects::tookOver, objects::forget);
    }

    /** Returns this generation with other files, which differ only in certificates: each swap reads those again. */
    BuiltGeneration with(FilesRead others) {
        return new BuiltGeneration(assembly, others, properties, begin, release);
    }

    /** Returns this generation with the admin section of other files. */
    BuiltGeneration withAdminOf(FilesRead others) {
        FilesRead changed = files.withAdminOf(others);
        return new BuiltGeneration(assembly.with(changed.config()), changed, properties, begin, release);
    }

    /**
     * Returns a generation of the same filters with other files, which differ only in the values of properties.
     *
     * @throws ConfigException if a value is of another type
     */
    BuiltGeneration withProperties(FilesRead others) {
        Map<String, List<String>> values = others.config().filters().properties();
        return new BuiltGeneration(
                assembly.with(others.config(), properties.values(values)), others, properties, begin, release);
    }

    /** Returns whether both have the same filters, which are released once. */
    @SuppressWarnings("ReferenceEquality") // equal generations have different classes
    boolean sharesFilters(BuiltGeneration other) {
        return release == other.release;
    }

    /** The generation has taken over. */
    void tookOver() {
        begin.run();
        properties.tookOver(assembly.filters().properties());
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
