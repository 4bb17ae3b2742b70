package dev.lychgate.filters.testing;

import dev.lychgate.extension.FilterDialect;
import dev.lychgate.filters.groovy.BuiltFilters;
import dev.lychgate.filters.groovy.FilterFaultsException;
import dev.lychgate.filters.groovy.FilterSource;
import dev.lychgate.filters.groovy.FilterSources;
import dev.lychgate.filters.groovy.GroovyFilters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs the tests of a directory while the gateway serves traffic. The tests run one after the other, on one thread at a
 * time, with a time limit for all tests together. The tests use a separate build of the filters, so they share no
 * classes, state or objects with requests. If a test exceeds its limit, no test runs after it. Therefore, a run leaves
 * at most one test thread behind.
 */
public final class BoundedTests {
    private final GroovyFilters groovy;
    private final AbandonedTests abandoned;
    private final @Nullable FilterDialect dialect;

    /**
     * Creates a runner of tests.
     *
     * @param groovy builds the filters of the tests, {@linkplain GroovyFilters#isolated isolated} from the filters in
     *     use
     * @param abandoned receives the threads that do not end in time
     * @param dialect the dialect in which files may be written; null without a dialect
     */
    public BoundedTests(GroovyFilters groovy, AbandonedTests abandoned, @Nullable FilterDialect dialect) {
        this.groovy = groovy;
        this.dialect = dialect;
        this.abandoned = abandoned;
    }

    /**
     * Runs the tests.
     *
     * @param limit the time limit for all tests together; a single test may take half of this time. The build of the
     *     filters has an additional limit of the same length
     * @return the results of the tests that have run
     * @throws FilterFaultsException if the filters can't be built
     * @throws InterruptedException if the calling thread is interrupted, in which case the current test is abandoned
     */
    public TestReport run(FilterSources sources, List<FilterSource> tests, Duration limit)
            throws FilterFaultsException, InterruptedException {
        BuiltFilters built = groovy.build(sources, limit, null, Map.of(), dialect);
        try {
            return run(new TestedFilters(built), tests, limit);
        } finally {
            // The result of the close is not awaited, because closing an object of a filter may take long.
            built.end();
            built.close();
        }
    }

    private TestReport run(TestedFilters filters, List<FilterSource> tests, Duration limit)
            throws InterruptedException {
        TestThreads group = new TestThreads();
        TestLimits limits = TestLimits.together(limit.dividedBy(2), limit, group);
        List<TestReport.TestedFile> files = new ArrayList<>();
        for (FilterSource test : tests) {
            if (limits.isOver()) {
                String late = "did not run, " + limits.exceeded().replaceFirst("^was abandoned, ", "");
                files.add(new TestReport.TestedFile(test.path(), List.of(TestReport.Outcome.failed("", late))));
                break;
            }
            TestRun run = new TestRun(test, filters, 0, limits);
            try {
                files.add(new TestReport.TestedFile(test.path(), run.outcomes()));
            } finally {
                group.collect(abandoned, test.path());
            }
            if (run.isAbandoned()) {
                break;
            }
        }
        return new TestReport(files);
    }
}
