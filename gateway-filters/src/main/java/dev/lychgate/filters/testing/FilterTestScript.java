package dev.lychgate.filters.testing;

import dev.lychgate.filter.Filter;
import dev.lychgate.filters.groovy.FilterDirectory;
import groovy.lang.Closure;
import groovy.lang.Script;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Base class of scripts that test filters. The tests of {@code inbound/ApiKey.groovy} are in {@code inbound/ApiKeyTest.groovy}:
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

    /** All filters of the directory. */
    public TestedFilters getFilters() {
        TestedFilters all = filters;
        if (all == null) {
            throw new IllegalStateException("the test has not started");
        }
        return all;
    }

    /** The filter under test: that of {@code ApiKey.groovy} in {@code ApiKeyTest.groovy}. */
    public Filter getFilter() {
        return filter(Map.of());
    }

    /** The filter under test with settings, as the configuration passes them: {@code filter(size: 5, per: '1s')}. */
    public Filter filter(Map<String, ?> settings) {
        return getFilters()
                .inFile(path.substring(0, path.length() - FilterDirectory.TEST.length()) + ".groovy")
                .make(settings);
    }

    /** Runs one test. The tests after a failed test run as well. @param name a sentence, for the report */
    public void test(String name, Closure<?> body) {
        TestRun runs = run;
        if (runs == null) {
            throw new IllegalStateException("the test has not started");
        }
        runs.test(name, body);
    }

    /** A GET, see {@link TestExchange#of}. */
    public TestExchange get(String target) {
        return TestExchange.get(target);
    }

    /** A POST, see {@link TestExchange#of}. */
    public TestExchange post(String target) {
        return TestExchange.post(target);
    }

    /** Any request, see {@link TestExchange#of}. */
    public TestExchange request(String method, String target) {
        return TestExchange.of(method, target);
    }
}
