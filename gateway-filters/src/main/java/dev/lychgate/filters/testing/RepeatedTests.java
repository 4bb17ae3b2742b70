package dev.lychgate.filters.testing;

import dev.lychgate.extension.FilterDialect;
import dev.lychgate.filters.groovy.BuiltFilters;
import dev.lychgate.filters.groovy.ChangedFiles;
import dev.lychgate.filters.groovy.DirectoryStamp;
import dev.lychgate.filters.groovy.FilterDirectory;
import dev.lychgate.filters.groovy.FilterFaultsException;
import dev.lychgate.filters.groovy.FilterSource;
import dev.lychgate.filters.groovy.FilterSources;
import dev.lychgate.filters.groovy.GroovyFilters;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs the tests of a directory repeatedly. After each change, runs the tests that the change affects: changed tests,
 * and tests that use a changed filter or class. Used by one thread.
 */
public final class RepeatedTests {
    private static final Duration PAUSE = Duration.ofMillis(300);

    private final FilterDirectory directory;
    private final Set<String> filters;
    private final Duration limit;
    private final @Nullable FilterDialect dialect;
    private final GroovyFilters groovy = new GroovyFilters();
    private final ChangedFiles changes = new ChangedFiles();
    private State state = State.NONE;

    /**
     * The state of the filters and tests at the last run.
     *
     * @param failure the reason why the tests can't be read; empty if they can be read
     */
    private record State(DirectoryStamp filters, List<FilterSource> tests, String failure) {
        static final State NONE = new State(DirectoryStamp.NONE, List.of(), "");
    }

    /**
     * Creates a runner of the tests of a directory.
     *
     * @param libraries an additional directory of jars, like {@code filters.libraries}; null if there is none
     * @param filters the names of the filter files whose tests run, without {@code .groovy}; empty for all tests
     * @param limit the time limit of each test; more than zero
     */
    public RepeatedTests(Path directory, @Nullable Path libraries, Set<String> filters, Duration limit) {
        this(directory, libraries, filters, limit, null);
    }

    /**
     * Creates a runner of the tests of a directory, whose files may be written in a dialect.
     *
     * @param dialect the dialect in which files may be written; null without a dialect
     */
    RepeatedTests(
            Path directory,
            @Nullable Path libraries,
            Set<String> filters,
            Duration limit,
            @Nullable FilterDialect dialect) {
        if (limit.isZero() || limit.isNegative()) {
            throw new IllegalArgumentException("a limit of " + limit + " (expected: > 0)");
        }
        this.directory = new FilterDirectory(directory, libraries);
        this.filters = Set.copyOf(filters);
        this.limit = limit;
        this.dialect = dialect;
    }

    /**
     * Runs the tests that the changes since the last call affect. The first call runs all tests.
     *
     * @throws IOException if the directory can't be read
     * @throws FilterFaultsException if the filters can't be built; in this case, the next call includes the tests that
     *     the present change affects
     * @throws InterruptedException if the calling thread is interrupted
     */
    public TestReport run() throws IOException, FilterFaultsException, InterruptedException {
        state = read();
        List<FilterSource> tests = directory.readTests();
        FilterSources sources = directory.read();
        BuiltFilters built = groovy.build(sources, dialect);
        List<TestReport.TestedFile> files = new ArrayList<>();
        try (TestedFilters tested = new TestedFilters(built)) {
            Set<String> changed = changes.next(sources, built, tests);
            for (FilterSource test : tests) {
                String subject = test.path().substring(0, test.path().length() - FilterDirectory.TEST.length());
                boolean chosen = filters.isEmpty() || filters.contains(subject.substring(subject.lastIndexOf('/') + 1));
                if (chosen && (changed.contains(test.path()) || changed.contains(subject + ".groovy"))) {
                    files.add(new TestReport.TestedFile(test.path(), FilterTests.outcomes(test, tested, limit)));
                }
            }
        }
        return new TestReport(files);
    }

    /**
     * Waits until a file differs from its state at the beginning of the last run.
     *
     * @throws InterruptedException if the calling thread is interrupted
     */
    public void awaitChange() throws InterruptedException {
        while (read().equals(state)) {
            Thread.sleep(PAUSE.toMillis());
        }
    }

    private State read() {
        DirectoryStamp stamp = directory.stamp();
        try {
            return new State(stamp, directory.readTests(), "");
        } catch (IOException | FilterFaultsException e) {
            return new State(stamp, List.of(), e.toString());
        }
    }
}
