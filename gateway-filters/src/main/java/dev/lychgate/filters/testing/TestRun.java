package dev.lychgate.filters.testing;

import dev.lychgate.filters.groovy.ExitCalls;
import dev.lychgate.filters.groovy.FilterSource;
import groovy.lang.Binding;
import groovy.lang.Closure;
import groovy.lang.GroovyClassLoader;
import java.beans.Introspector;
import java.util.ArrayList;
import java.util.List;
import org.codehaus.groovy.control.CompilationFailedException;
import org.codehaus.groovy.control.CompilerConfiguration;
import org.codehaus.groovy.control.customizers.ImportCustomizer;
import org.codehaus.groovy.runtime.InvokerHelper;

/**
 * One run of a test file, on a separate thread. All tests of a file run on the same thread, because they may share an
 * exchange, which belongs to the thread that created it.
 *
 * <p>Java can't stop a thread. Therefore, if a test exceeds its time limit, its thread is interrupted and the run is
 * abandoned. Another run {@linkplain #TestRun skips} the completed tests and executes the following tests.
 */
final class TestRun {
    static final TestReport.Outcome NO_TEST =
            TestReport.Outcome.failed("", "the file has no test: test('a sentence') { assert ... }");

    private final FilterSource file;
    private final TestedFilters filters;
    private final TestLimits limits;
    private final int skipped;
    private final TestThread thread;

    /**
     * The results so far. One thread runs tests, and another thread waits for the time limit. Therefore, the lock of
     * this object guards this field and all fields that are declared after it.
     */
    private final List<TestReport.Outcome> outcomes = new ArrayList<>();

    private State state = State.OUTSIDE;
    private String test = "";
    private int met;
    private long since;

    private enum State {
        /** The script runs code before, between or after its tests. */
        OUTSIDE,
        IN_A_TEST,
        ENDED,
        /** The script exceeded its time limit outside of its tests. Later results of the thread are ignored. */
        HUNG_OUTSIDE,
        /** A test exceeded its time limit. Later results of the thread are ignored. */
        HUNG_IN_A_TEST;

        boolean isOver() {
            return compareTo(ENDED) >= 0;
        }
    }

    /**
     * Creates a run of a test file, which has not started.
     *
     * @param skipped the number of tests at the beginning of the file to skip, because an earlier run has completed
     *     them
     */
    TestRun(FilterSource file, TestedFilters filters, int skipped, TestLimits limits) {
        this.file = file;
        this.filters = filters;
        this.skipped = skipped;
        this.limits = limits;
        this.thread = new TestThread(limits.group(), this::run);
    }

    /**
     * Runs the script.
     *
     * @return the results of the tests, in their order
     * @throws InterruptedException if the calling thread is interrupted
     */
    synchronized List<TestReport.Outcome> await() throws InterruptedException {
        since = System.nanoTime();
        thread.start();
        try {
            while (!state.isOver()) {
                long left = limits.left(since);
                if (left <= 0) {
                    giveUp();
                } else {
                    wait(left / 1_000_000 + 1);
                }
            }
        } catch (InterruptedException e) {
            state = State.HUNG_OUTSIDE;
            thread.giveUp();
            throw e;
        }
        return List.copyOf(outcomes);
    }

    /** Runs the script like {@link #await}. If the file contains no tests, the result is one failure. */
    List<TestReport.Outcome> outcomes() throws InterruptedException {
        List<TestReport.Outcome> all = await();
        return all.isEmpty() && !isToBeContinued() ? List.of(NO_TEST) : all;
    }

    private synchronized void giveUp() {
        outcomes.add(TestReport.Outcome.hung(test, limits.exceeded(), thread.getStackTrace()));
        state = state == State.IN_A_TEST ? State.HUNG_IN_A_TEST : State.HUNG_OUTSIDE;
        thread.giveUp();
    }

    /** Returns whether the time limit expired, or the waiting thread was interrupted. */
    synchronized boolean isAbandoned() {
        return state == State.HUNG_IN_A_TEST || state == State.HUNG_OUTSIDE;
    }

    /** Returns whether a test was abandoned, so that another run must execute any later tests of the file. */
    synchronized boolean isToBeContinued() {
        return state == State.HUNG_IN_A_TEST;
    }

    /** Returns the number of tests that the script has reached, including skipped tests. */
    synchronized int met() {
        return met;
    }

    private void run() {
        GroovyClassLoader loader = new GroovyClassLoader(filters.loader(file.path()), configuration());
        try {
            String name = file.path().substring(file.path().lastIndexOf('/') + 1);
            Class<?> type = loader.parseClass(file.text(), name);
            if (!FilterTestScript.class.isAssignableFrom(type)) {
                add(TestReport.Outcome.failed("", name + ": is a class, not a script with tests"));
                return;
            }
            FilterTestScript script = (FilterTestScript) InvokerHelper.createScript(type, binding());
            script.begin(filters, file.path(), this);
            script.run();
        } catch (CompilationFailedException e) {
            add(TestReport.Outcome.uncompiled(e));
        } catch (Exception | Error e) {
            add(TestReport.Outcome.failed("", e));
        } finally {
            release(loader);
            end();
        }
    }

    /**
     * Releases the data about the classes of a script, which Groovy's runtime and the JDK keep with soft references.
     */
    private static void release(GroovyClassLoader loader) {
        for (Class<?> type : loader.getLoadedClasses()) {
            InvokerHelper.removeClass(type);
        }
        loader.clearCache();
        // Flushes the introspection cache of this thread's group.
        Introspector.flushCaches();
    }

    private Binding binding() {
        Binding binding = new Binding();
        if (limits.out() != null) {
            // The writer to which println writes in scripts.
            binding.setVariable("out", limits.out());
        }
        return binding;
    }

    /** Runs a test of the script. Called on the thread of this run. */
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
        configuration.addCompilationCustomizers(imports, new LostComparisons(), new TimeChecks(), new ExitCalls());
        return configuration;
    }
}
