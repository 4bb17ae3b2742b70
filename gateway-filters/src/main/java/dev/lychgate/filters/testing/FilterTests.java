package dev.lychgate.filters.testing;

import dev.lychgate.filters.groovy.FilterDirectory;
import dev.lychgate.filters.groovy.FilterFaultsException;
import dev.lychgate.filters.groovy.FilterSource;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs the tests that stand beside the filters of a directory: each file {@code *Test.groovy} is a {@link FilterTestScript}.
 * All filters are compiled together and built once, as in the gateway; what a filter keeps from one exchange to the next, it
 * keeps from one test to the next.
 */
public final class FilterTests {
    /** How long a test may take if nothing else is said. */
    public static final Duration DEFAULT_LIMIT = Duration.ofSeconds(30);

    private FilterTests() {}

    /** As {@link #run(Path, Duration)}, with {@link #DEFAULT_LIMIT}. */
    public static TestReport run(Path directory) throws IOException, FilterFaultsException, InterruptedException {
        return run(directory, DEFAULT_LIMIT);
    }

    /**
     * Runs all tests of {@code directory}, in the order of their paths, file by file. A file without tests fails. When a test
     * has been given up, its script runs once more for the tests behind it.
     *
     * @param limit how long each test may take, and what a script does outside of its tests; more than zero
     * @throws IOException if the directory can't be read
     * @throws FilterFaultsException if its filters can't be built
     * @throws InterruptedException if the calling thread is interrupted
     */
    public static TestReport run(Path directory, Duration limit)
            throws IOException, FilterFaultsException, InterruptedException {
        if (limit.isZero() || limit.isNegative()) {
            throw new IllegalArgumentException("a limit of " + limit + " (expected: > 0)");
        }
        List<FilterSource> tests = new FilterDirectory(directory).readTests();
        List<TestReport.TestedFile> files = new ArrayList<>();
        try (TestedFilters filters = TestedFilters.in(directory)) {
            for (FilterSource test : tests) {
                files.add(new TestReport.TestedFile(test.path(), outcomes(test, filters, limit)));
            }
        }
        return new TestReport(files);
    }

    private static List<TestReport.Outcome> outcomes(FilterSource file, TestedFilters filters, Duration limit)
            throws InterruptedException {
        List<TestReport.Outcome> outcomes = new ArrayList<>();
        TestRun run = new TestRun(file, filters, 0, limit);
        outcomes.addAll(run.await());
        while (run.isToBeContinued()) {
            run = new TestRun(file, filters, run.met(), limit);
            outcomes.addAll(run.await());
        }
        if (outcomes.isEmpty()) {
            outcomes.add(TestReport.Outcome.failed("", "the file has no test: test('a sentence') { assert ... }"));
        }
        return outcomes;
    }
}
