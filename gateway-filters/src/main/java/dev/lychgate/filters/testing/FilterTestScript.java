package dev.lychgate.filters.testing;

import dev.lychgate.filter.Filter;
import dev.lychgate.filters.groovy.FilterDirectory;
import groovy.lang.Closure;
import groovy.lang.Script;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The base class of scripts that test filters. For example, the tests of {@code inbound/ApiKey.groovy} are in
 * {@code inbound/ApiKeyTest.groovy}:
 *
 * <pre>
 * test('a request without a key is refused') {
 *     def result = get('/orders').through(filter)
 *     assert result.status == 401
 *     assert result.sent == null
 * }
 * </pre>
 */
public abstract class FilterTestScript extends Script {
    private @Nullable TestedFilters filters;
    private String path = "";
    private @Nullable TestRun run;

    final void begin(TestedFilters all, String ownPath, TestRun runs) {
        filters = all;
        path = ownPath;
        run = runs;
    }

    /** Returns all filters of the directory that contains the test. */
    public TestedFilters getFilters() {
        TestedFilters all = filters;
        if (all == null) {
            throw new IllegalStateException("the test has not started");
        }
        return all;
    }

    /** Returns the filter under test. In {@code ApiKeyTest.groovy}, this is the filter of {@code ApiKey.groovy}. */
    public Filter getFilter() {
        return filter(Map.of());
    }

    /**
     * Returns the filter under test with settings. The settings have the form of the configuration, such as
     * {@code filter(size: 5, per: '1s')}.
     */
    public Filter filter(Map<String, ?> settings) {
        return getFilters()
                .inFile(path.substring(0, path.length() - FilterDirectory.TEST.length()) + ".groovy")
                .make(settings);
    }

    /**
     * Runs one test. If the test fails, the following tests still run.
     *
     * @param name a sentence that describes the test, for the report
     */
    public void test(String name, Closure<?> body) {
        TestRun runs = run;
        if (runs == null) {
            throw new IllegalStateException("the test has not started");
        }
        runs.test(name, body);
    }

    /**
     * Ends the current script if it has exceeded its time limit. The compiler adds a call of this method to each loop
     * and closure of a script.
     */
    public static void checkTime() {
        TestThread.check();
    }

    /** Creates a GET request; see {@link TestExchange#of}. */
    public TestExchange get(String target) {
        return TestExchange.get(target);
    }

    /** Creates a POST request; see {@link TestExchange#of}. */
    public TestExchange post(String target) {
        return TestExchange.post(target);
    }

    /** Creates a request with any method; see {@link TestExchange#of}. */
    public TestExchange request(String method, String target) {
        return TestExchange.of(method, target);
    }
}
