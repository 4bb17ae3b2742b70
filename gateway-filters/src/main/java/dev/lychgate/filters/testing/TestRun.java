package dev.lychgate.filters.testing;

import dev.lychgate.config.Durations;
import dev.lychgate.filters.groovy.ExitCalls;
import dev.lychgate.filters.groovy.FilterSource;
import groovy.lang.Binding;
import groovy.lang.Closure;
import groovy.lang.GroovyClassLoader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.codehaus.groovy.control.CompilationFailedException;
import org.codehaus.groovy.control.CompilerConfiguration;
import org.codehaus.groovy.control.customizers.ImportCustomizer;
import org.codehaus.groovy.runtime.InvokerHelper;

/**
 * One run of a file of tests, on a thread of its own: an exchange that is made up belongs to the thread that has made it, and
 * may be shared by the tests of a file. If a test hangs, thread and run are given up, for no thread can be stopped that does
 * not want to; the tests behind it are for another run, which {@linkplain #TestRun skips} those that have been.
 */
final class TestRun {
    /** As for builds: nested expressions are compiled recursively. */
    private static final long STACK = 8 << 20;

    private final FilterSource file;
    private final TestedFilters filters;
    private final Duration limit;
    private final int skipped;
    private final Thread thread;

    /** All below belong to this object's lock: one thread runs tests, and another watches the clock. */
    private final List<TestReport.Outcome> outcomes = new ArrayList<>();

    private State state = State.OUTSIDE;
    private String test = "";
    private int met;
    private long since;

    private enum State {
        /** Before, between or behind tests. */
        OUTSIDE,
        IN_A_TEST,
        ENDED,
        /** Its time was over outside of the tests. What the thread still does counts no more. */
        HUNG_OUTSIDE,
        /** The time of a test was over. What the thread still does counts no more. */
        HUNG_IN_A_TEST;

        boolean isOver() {
            return compareTo(ENDED) >= 0;
        }
    }

    /** Leaves a script that has been given up, and came back. */
    private static final class GivenUp extends Error {
        private static final long serialVersionUID = 1;

        GivenUp() {
            super("the script exceeded its time limit", null, false, false);
        }
    }

    /** @param skipped how many tests are passed over, as they have run. @param limit for each test; more than zero */
    TestRun(FilterSource file, TestedFilters filters, int skipped, Duration limit) {
        this.file = file;
        this.filters = filters;
        this.skipped = skipped;
        this.limit = limit;
        this.thread = new Thread(null, this::run, "lychgate-filter-tests", STACK);
        thread.setDaemon(true);
    }

    /** Runs the script. @return how it went, test by test. @throws InterruptedException if the caller is interrupted */
    synchronized List<TestReport.Outcome> await() throws InterruptedException {
        since = System.nanoTime();
        thread.start();
        try {
            while (!state.isOver()) {
                long left = limit.toNanos() - (System.nanoTime() - since);
                if (left <= 0) {
                    giveUp();
                } else {
                    wait(left / 1_000_000 + 1);
                }
            }
        } catch (InterruptedException e) {
            state = State.HUNG_OUTSIDE;
            thread.interrupt();
            throw e;
        }
        return List.copyOf(outcomes);
    }

    private synchronized void giveUp() {
        outcomes.add(TestReport.Outcome.hung(
                test, "exceeded " + Durations.print(limit) + " and was abandoned", thread.getStackTrace()));
        state = state == State.IN_A_TEST ? State.HUNG_IN_A_TEST : State.HUNG_OUTSIDE;
        thread.interrupt();
    }

    /** Whether there may be tests behind one that was given up. */
    synchronized boolean isToBeContinued() {
        return state == State.HUNG_IN_A_TEST;
    }

    /** How many tests the script has come to, those that were skipped among them. */
    synchronized int met() {
        return met;
    }

    private void run() {
        try {
            String name = file.path().substring(file.path().lastIndexOf('/') + 1);
            Class<?> type =
                    new GroovyClassLoader(filters.loader(file.path()), configuration()).parseClass(file.text(), name);
            if (!FilterTestScript.class.isAssignableFrom(type)) {
                add(TestReport.Outcome.failed("", name + ": is a class, not a script with tests"));
                return;
            }
            FilterTestScript script = (FilterTestScript) InvokerHelper.createScript(type, new Binding());
            script.begin(filters, file.path(), this);
            script.run();
        } catch (CompilationFailedException e) {
            add(TestReport.Outcome.failed("", String.valueOf(e.getMessage())));
        } catch (Exception | Error e) {
            add(TestReport.Outcome.failed("", e));
        } finally {
            end();
        }
    }

    /** Runs a test of the script, on the run's own thread. */
    void test(String name, Closure<?> body) {
        if (!begin(name)) {
            return;
        }
        try {
            body.call();
            add(TestReport.Outcome.passed(name));
        } catch (Exception | Error e) {
            add(TestReport.Outcome.failed(name, e));
        }
    }

    private synchronized boolean begin(String name) {
        if (state.isOver()) {
            throw new GivenUp();
        }
        met++;
        if (met <= skipped) {
            return false;
        }
        state = State.IN_A_TEST;
        test = name;
        since = System.nanoTime();
        return true;
    }

    private synchronized void add(TestReport.Outcome outcome) {
        if (state.isOver()) {
            return;
        }
        outcomes.add(outcome);
        state = State.OUTSIDE;
        test = "";
        since = System.nanoTime();
    }

    private synchronized void end() {
        if (!state.isOver()) {
            state = State.ENDED;
        }
        notifyAll();
    }

    private static CompilerConfiguration configuration() {
        CompilerConfiguration configuration = new CompilerConfiguration();
        configuration.setScriptBaseClass(FilterTestScript.class.getName());
        ImportCustomizer imports = new ImportCustomizer();
        imports.addStarImports("dev.lychgate.filter", "dev.lychgate.filters.testing", "dev.lychgate.error");
        imports.addImports("java.time.Duration");
        configuration.addCompilationCustomizers(imports, new LostComparisons(), new ExitCalls());
        return configuration;
    }
}
