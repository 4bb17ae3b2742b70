package dev.lychgate.filters.testing;

import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filters.groovy.BuiltFilters;
import dev.lychgate.filters.groovy.FilterDirectory;
import dev.lychgate.filters.groovy.FilterFaultsException;
import dev.lychgate.filters.groovy.GroovyFilter;
import dev.lychgate.filters.groovy.GroovyFilters;
import dev.lychgate.filters.settings.NamedFilter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The filters of a directory, for tests. A test selects filters by expressions such as {@code filters['ApiKey']} and
 * {@code filters.inbound}. In test scripts of the directory, this object is the property {@code filters}. Tests with
 * JUnit or Spock call {@link #in} to build the filters, and close them.
 */
public final class TestedFilters implements AutoCloseable {
    private final BuiltFilters built;
    private final List<GroovyFilter> filters;

    TestedFilters(BuiltFilters built) {
        this.built = built;
        this.filters = built.filters();
    }

    /**
     * Builds the filters of a directory together, as the gateway does. Tests in the directory are ignored, and
     * self-checks do not run.
     *
     * @throws FilterFaultsException if files have errors; the exception lists all errors
     * @throws InterruptedException if the calling thread is interrupted
     */
    public static TestedFilters in(Path directory) throws FilterFaultsException, InterruptedException {
        return new TestedFilters(new GroovyFilters().build(new FilterDirectory(directory).read()));
    }

    /** Closes the objects that the filters have opened, and releases the filters. */
    @Override
    public void close() {
        built.end().join();
        built.close();
    }

    /**
     * Returns the filter with this name.
     *
     * @throws IllegalArgumentException if no filter has the name, or filters in several phases have the name
     */
    public Filter getAt(String name) {
        return with(name, Map.of());
    }

    /**
     * Returns the filter with this name and with settings. The settings have the form of the configuration, such as
     * {@code filters.with('Quota', [size: 5])}.
     *
     * @throws IllegalArgumentException if no filter has the name, if filters in several phases have the name, or if the
     *     settings are refused
     */
    public Filter with(String name, Map<String, ?> settings) {
        return only(filter -> filter.name().equals(name), "the name " + name).make(settings);
    }

    /** Returns all filters without required settings, for example for a call of {@link TestExchange#through}. */
    public List<Filter> getAll() {
        return filters.stream()
                .filter(GroovyFilter::hasDefaults)
                .map(GroovyFilter::filter)
                .toList();
    }

    public List<Filter> getInbound() {
        return of(FilterPhase.INBOUND);
    }

    public List<Filter> getEndpoint() {
        return of(FilterPhase.ENDPOINT);
    }

    public List<Filter> getOutbound() {
        return of(FilterPhase.OUTBOUND);
    }

    public List<Filter> getError() {
        return of(FilterPhase.ERROR);
    }

    private List<Filter> of(FilterPhase phase) {
        return filters.stream()
                .filter(filter -> filter.phase() == phase && filter.hasDefaults())
                .map(GroovyFilter::filter)
                .toList();
    }

    NamedFilter inFile(String path) {
        return only(filter -> filter.file().equals(path), "the file " + path);
    }

    private NamedFilter only(Predicate<GroovyFilter> which, String description) {
        List<GroovyFilter> found = filters.stream().filter(which).toList();
        if (found.size() != 1) {
            String known =
                    String.join(", ", filters.stream().map(GroovyFilter::name).toList());
            throw new IllegalArgumentException(
                    "there are " + found.size() + " filters with " + description + " (expected: one of " + known + ")");
        }
        return found.get(0).named();
    }

    /**
     * Returns the class loader that finds the classes that a test can use.
     *
     * @param path the path of the test file
     */
    ClassLoader loader(String path) {
        return built.loader(path);
    }
}
