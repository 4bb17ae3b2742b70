package dev.lychgate.filters.testing;

import dev.lychgate.filters.groovy.BuiltFilters;
import dev.lychgate.filters.groovy.FilterFaultsException;
import dev.lychgate.filters.groovy.FilterSource;
import dev.lychgate.filters.groovy.FilterSources;
import dev.lychgate.filters.groovy.GroovyFilters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Runs the tests of a directory beside traffic: one after the other on one thread at a time, with a limit for all of them
 * together. The tests have their own build of the filters, whose classes, state and objects no request uses. After the first
 * test that exceeds its limit, no further one runs, so that each run leaves at most one thread of a test behind.
 */
public final class BoundedTests {
    /** Threads of pools that serve the whole process, and start with the first use. */
    private static final List<String> SHARED = List.of("lychgate-", "Rx", "ForkJoinPool", "globalEventExecutor");
    /** The time in which interrupted threads may end before they count as abandoned. */
    private static final Duration GRACE = Duration.ofMillis(100);

    private final GroovyFilters groovy;
    private final AbandonedTests abandoned;

    /**
     * @param groovy builds the filters; {@linkplain GroovyFilters#isolated isolated} from the filters in use
     * @param abandoned receives the threads that do not end
     */
    public BoundedTests(GroovyFilters groovy, AbandonedTests abandoned) {
        this.groovy = groovy;
        this.abandoned = abandoned;
    }

    /**
     * Runs the tests.
     *
     * @param limit for all of them together; one test has half of it. The build of the filters has the same time
     * @return the results of the tests that ran
     * @throws FilterFaultsException if the filters can't be built
     * @throws InterruptedException if the calling thread is interrupted; the current test is abandoned
     */
    public TestReport run(FilterSources sources, List<FilterSource> tests, Duration limit)
            throws FilterFaultsException, InterruptedException {
        BuiltFilters built = groovy.build(sources, limit);
        try {
            return run(new TestedFilters(built), tests, limit);
        } finally {
            // Not awaited: an object of a filter may take long to close.
            built.end();
            built.close();
        }
    }

    private TestReport run(TestedFilters filters, List<FilterSource> tests, Duration limit)
            throws InterruptedException {
        ThreadGroup group = new Threads();
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
                collect(group, test.path());
            }
            if (run.isAbandoned()) {
                break;
            }
        }
        return new TestReport(files);
    }

    /** The threads of a run, and those that its tests start. */
    private static final class Threads extends ThreadGroup {
        Threads() {
            super("lychgate-gate-tests");
        }

        @Override
        public void uncaughtException(Thread thread, Throwable failure) {
            // Interrupted threads end with exceptions, which would be printed as if a request had failed.
        }
    }

    /** Interrupts the threads that a test file has left, and adds those that do not end at once. */
    private void collect(ThreadGroup group, String file) throws InterruptedException {
        List<Thread> left = threads(group);
        left.forEach(AbandonedTests::interrupt);
        long end = System.nanoTime() + GRACE.toNanos();
        for (Thread thread : left) {
            thread.join(Math.max(1, (end - System.nanoTime()) / 1_000_000));
            abandoned.add(thread, file);
        }
    }

    private static List<Thread> threads(ThreadGroup group) {
        Thread[] all = new Thread[group.activeCount() + 64];
        int count = group.enumerate(all);
        return Stream.of(all)
                .limit(count)
                .filter(thread -> thread instanceof TestThread
                        || SHARED.stream().noneMatch(name -> thread.getName().startsWith(name)))
                .toList();
    }
}
