package dev.lychgate.filters.testing;

import dev.lychgate.filters.groovy.FilterFaultsException;
import dev.lychgate.filters.groovy.FilterSource;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Runs the tests in a directory of filters. Each file {@code *Test.groovy} is a {@link FilterTestScript}. As in the
 * gateway, all filters are compiled together and built one time. State that a filter keeps between exchanges is
 * therefore kept between tests.
 */
public final class FilterTests {
    /** The default time limit of a test. */
    public static final Duration DEFAULT_LIMIT = Duration.ofSeconds(30);

    private FilterTests() {}

    /**
     * Runs all tests of {@code directory} with the time limit {@link #DEFAULT_LIMIT}; see {@link #run(Path, Duration)}.
     */
    public static TestReport run(Path directory) throws IOException, FilterFaultsException, InterruptedException {
        return run(directory, DEFAULT_LIMIT);
    }

    /**
     * Runs all tests of {@code directory}, file by file, in the order of their paths. A file without tests counts as
     * failed. If a test exceeds the limit, it is abandoned, and its script runs again for the following tests.
     *
     * @param limit the time limit of each test, and of the code of a script outside of its tests; more than zero
     * @throws IOException if the directory can't be read
     * @throws FilterFaultsException if the filters can't be built
     * @throws InterruptedException if the calling thread is interrupted
     */
    public static TestReport run(Path directory, Duration limit)
            throws IOException, FilterFaultsException, InterruptedException {
        return new RepeatedTests(directory, null, Set.of(), limit).run();
    }

    /** Returns whether the current thread runs a test, so that its log lines do not belong to requests. */
    public static boolean isTest() {
        return TestThread.isCurrent();
    }

    static List<TestReport.Outcome> outcomes(FilterSource file, TestedFilters filters, Duration limit)
            throws InterruptedException {
        List<TestReport.Outcome> outcomes = new ArrayList<>();
        TestLimits limits = TestLimits.each(limit);
        TestRun run = new TestRun(file, filters, 0, limits);
        outcomes.addAll(run.await());
        while (run.isToBeContinued()) {
            run = new TestRun(file, filters, run.met(), limits);
            outcomes.addAll(run.await());
        }
        if (outcomes.isEmpty()) {
            outcomes.add(TestRun.NO_TEST);
        }
        return outcomes;
    }
}
