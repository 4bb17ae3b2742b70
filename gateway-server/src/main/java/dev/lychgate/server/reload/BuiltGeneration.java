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
 * @param assembly the settings and filters of this generation
 * @param properties the properties that the filters of this generation read
 * @param begin transfers the state of the filters to the gateway; runs when this generation has taken effect
 * @param release releases the filters of the directory; runs once, when this generation can no longer be used
 */
record BuiltGeneration(
        FilterAssembly assembly, FilesRead files, LiveProperties properties, Runnable begin, Runnable release) {
    /**
     * Returns a generation that uses the filters of the filter directory.
     *
     * @param filters null if there is no filter directory
     * @param objects the objects that the filters and extensions of the generation created
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

    /**
     * Returns a generation with the filters of this generation, and with the files {@code others}. These files must
     * differ from the files of this generation only in certificates. The next swap reads the new certificates.
     */
    BuiltGeneration with(FilesRead others) {
        return new BuiltGeneration(assembly, others, properties, begin, release);
    }

    /** Returns a generation with the filters of this generation, and with the admin section of {@code others}. */
    BuiltGeneration withAdminOf(FilesRead others) {
        FilesRead changed = files.withAdminOf(others);
        return new BuiltGeneration(assembly.with(changed.config()), changed, properties, begin, release);
    }

    /**
     * Returns a generation with the filters of this generation, and with the files {@code others}. These files must
     * differ from the files of this generation only in the values of properties.
     *
     * @throws ConfigException if a value does not have the type of its property
     */
    BuiltGeneration withProperties(FilesRead others) {
        Map<String, List<String>> values = others.config().filters().properties();
        return new BuiltGeneration(
                assembly.with(others.config(), properties.values(values)), others, properties, begin, release);
    }

    /**
     * Returns whether this generation and {@code other} share their filters. Shared filters must be released only once.
     */
    @SuppressWarnings("ReferenceEquality") // equal generations have different classes
    boolean sharesFilters(BuiltGeneration other) {
        return release == other.release;
    }

    /** Transfers the state and properties of the filters to the gateway, after this generation has taken effect. */
    void tookOver() {
        begin.run();
        properties.tookOver(assembly.filters().properties());
    }

    /**
     * Returns whether replacing this generation closes objects of its filters. If it does, this generation cannot be
     * put into force a second time.
     */
    boolean isClosedWhenReplaced() {
        return assembly.filters().inUse() != null;
    }

    /** Returns whether this generation and {@code other} run the same filter objects. */
    @SuppressWarnings("ReferenceEquality") // compares the identity of the closed object and not its content
    boolean sharesObjects(BuiltGeneration other) {
        FilterUse use = assembly.filters().inUse();
        return use == other.assembly.filters().inUse();
    }

    /** Releases the filters of the filter directory. Exchanges in progress may still use them. */
    void forget() {
        release.run();
    }

    /**
     * Releases all filters and closes the extensions. Call this method only when no exchange uses the filters or will
     * use them.
     */
    void close() {
        release.run();
        assembly.close();
    }
}
