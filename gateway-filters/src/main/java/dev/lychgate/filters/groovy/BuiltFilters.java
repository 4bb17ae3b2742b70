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
 * The filters of one generation, ready to run. The owner closes them when the generation has been replaced; exchanges in
 * progress may continue to run them.
 *
 * @param filters in the order of their files
 * @param loaders one for each bundle, that of the files outside of bundles first
 * @param objects the state that they name and the objects that they have opened
 * @param faults the faults of filters that could not be made, for a report together with those of the configuration; if there
 *     are any, the filters must not run
 * @param failed the names of these filters
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

    /** Returns the loader of the classes that a file can use. @param path below the filter directory */
    public ClassLoader loader(String path) {
        return loaders.stream()
                .filter(loader -> loader.bundle().equals(PlaceInTree.bundle(path)))
                .findFirst()
                .orElse(loaders.get(0));
    }

    /** Returns a set of all filters, each of which runs on every route. */
    public FilterSet everywhere() {
        return FilterSet.EMPTY
                .with(filters.stream().map(GroovyFilter::filter).toList())
                .counted(use());
    }

    /** Returns what counts the exchanges of the filters; null if they have no objects to close. */
    public @Nullable FilterUse use() {
        return objects.use();
    }

    public LiveProperties properties() {
        return objects.properties();
    }

    /** The filters have taken over: their state belongs to the gateway. */
    public void tookOver() {
        objects.tookOver();
    }

    /** Closes the objects of the filters, which no exchange uses or will use. @return completes when that has ended */
    public CompletableFuture<Void> end() {
        return objects.end();
    }

    /**
     * Releases the data that Groovy's runtime keeps about the classes, so that they can be unloaded once the last filter is
     * unused. Thread-safe and idempotent.
     */
    @Override
    public void close() {
        loaders.forEach(FilterClassLoader::release);
        objects.forget();
    }
}
