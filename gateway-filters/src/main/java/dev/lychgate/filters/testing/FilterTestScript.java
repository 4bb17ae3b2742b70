package dev.lychgate.filters.testing;

import dev.lychgate.filter.Filter;
import groovy.lang.Closure;
import groovy.lang.Script;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a test of filters is written in. Beside {@code inbound/ApiKey.groovy} stands {@code inbound/ApiKeyTest.groovy}:
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
    private List<TestReport.Outcome> outcomes = List.of();

    final void begin(TestedFilters all, String ownPath, List<TestReport.Outcome> into) {
        filters = all;
        path = ownPath;
        outcomes = into;
    }

    /** All filters of the directory. */
    public TestedFilters getFilters() {
        TestedFilters all = filters;
        if (all == null) {
            throw new IllegalStateException("the test has not begun");
        }
        return all;
    }

    /** The filter beside the test: that of {@code ApiKey.groovy} in {@code ApiKeyTest.groovy}. */
    public Filter getFilter() {
        return getFilters().inFile(path.substring(0, path.length() - TestSources.ENDING.length()) + ".groovy");
    }

    /** Runs one test; if it fails, those after it run nevertheless. @param name a sentence, for the report */
    public void test(String name, Closure<?> body) {
        try {
            body.call();
            outcomes.add(TestReport.Outcome.passed(name));
        } catch (Exception | Error e) {
            outcomes.add(TestReport.Outcome.failed(name, e));
        }
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
