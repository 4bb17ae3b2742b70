package dev.lychgate.filters.groovy;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.chain.FilterUse;
import dev.lychgate.filters.state.GenerationObjects;
import dev.lychgate.filters.state.LiveProperties;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The filters of one generation, ready to run. The owner closes the filters when the generation has been replaced.
 * Exchanges in progress may continue to run closed filters.
 *
 * @param filters the filters, in the order of their files
 * @param loaders one loader for each bundle; the first is for the files outside of bundles
 * @param objects the named state of the filters and the objects that the filters have opened
 * @param faults the errors of filters that could not be created, which are reported together with the errors of the
 *     configuration. If there are errors, no filter may run
 * @param failed the names of the filters that could not be created
 */
public record BuiltFilters(
        List<GroovyFilter> filters,
        List<FilterClassLoader> loaders,
        GenerationObjects objects,
        List<FilterFault> faults,
        Set<String> failed)
        implements AutoCloseable {
    public BuiltFilters {
        filters = List.copyOf(filters);
        loaders = List.copyOf(loaders);
        faults = List.copyOf(faults);
        failed = Set.copyOf(failed);
    }

    /**
     * Returns the class loader that finds the classes that a file can use.
     *
     * @param path the path of the file below the filter directory
     */
    public ClassLoader loader(String path) {
        return loaders.stream()
                .filter(loader -> loader.bundle().equals(PlaceInTree.bundle(path)))
                .findFirst()
                .orElse(loaders.get(0));
    }

    /** Returns a filter set with all filters, in which each filter runs on every route. */
    public FilterSet everywhere() {
        return FilterSet.EMPTY
                .with(filters.stream().map(GroovyFilter::filter).toList())
                .counted(use());
    }

    /** Returns the counter of the exchanges that use the filters; null if the filters have no objects to close. */
    public @Nullable FilterUse use() {
        return objects.use();
    }

    public LiveProperties properties() {
        return objects.properties();
    }

    /** Records that the filters have taken effect, so that the gateway owns the state of the filters. */
    public void tookOver() {
        objects.tookOver();
    }

    /**
     * Closes the objects that the filters have opened. Called when no exchange uses the filters and no new exchange can
     * use them.
     *
     * @return completes when all objects are closed
     */
    public CompletableFuture<Void> end() {
        return objects.end();
    }

    /**
     * Releases the data that Groovy's runtime keeps about the classes of the filters. The JVM can then unload the
     * classes as soon as no filter is in use. Thread-safe and idempotent.
     */
    @Override
    public void close() {
        loaders.forEach(FilterClassLoader::release);
        objects.forget();
    }
}
