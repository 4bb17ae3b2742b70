package dev.lychgate.filters.groovy;

import dev.lychgate.chain.FilterSet;
import java.util.List;

/**
 * The filters of one generation, ready to run. Whoever has built them closes them when the generation has been replaced;
 * exchanges that still run them may go on doing so.
 *
 * @param filters in the order of their files
 */
public record BuiltFilters(List<GroovyFilter> filters, FilterClassLoader loader) implements AutoCloseable {
    public BuiltFilters {
        filters = List.copyOf(filters);
    }

    /** All of them, to run everywhere. */
    public FilterSet everywhere() {
        return FilterSet.EMPTY.with(filters.stream().map(GroovyFilter::filter).toList());
    }

    /**
     * Lets go of what Groovy's runtime keeps about the classes, so that they can be unloaded once the last filter is out of
     * use. From any thread, as often as one likes.
     */
    @Override
    public void close() {
        loader.release();
    }
}
