package dev.lychgate.filters.testing;

import dev.lychgate.filters.groovy.FilterFaultsException;
import dev.lychgate.filters.groovy.FilterSource;
import groovy.lang.Binding;
import groovy.lang.GroovyShell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.codehaus.groovy.control.CompilationFailedException;
import org.codehaus.groovy.control.CompilerConfiguration;
import org.codehaus.groovy.control.customizers.ImportCustomizer;

/**
 * Runs the tests that stand beside the filters of a directory: each file {@code *Test.groovy} is a {@link FilterTestScript}.
 * All filters are compiled together and built once, as in the gateway; what a filter keeps from one exchange to the next, it
 * keeps from one test to the next.
 */
public final class FilterTests {
    private FilterTests() {}

    /**
     * Runs all tests of {@code directory}, in the order of their paths, on the calling thread.
     *
     * @throws IOException if the directory can't be read
     * @throws FilterFaultsException if its filters can't be built
     * @throws InterruptedException if the calling thread is interrupted
     */
    public static TestReport run(Path directory) throws IOException, FilterFaultsException, InterruptedException {
        List<FilterSource> tests = TestSources.read(directory);
        List<TestReport.TestedFile> files = new ArrayList<>();
        try (TestedFilters filters = TestedFilters.in(directory)) {
            tests.forEach(test -> files.add(run(test, filters)));
        }
        return new TestReport(files);
    }

    private static TestReport.TestedFile run(FilterSource test, TestedFilters filters) {
        List<TestReport.Outcome> outcomes = new ArrayList<>();
        try {
            String file = test.path().substring(test.path().lastIndexOf('/') + 1);
            GroovyShell shell = new GroovyShell(filters.loader(), new Binding(), configuration());
            FilterTestScript script = (FilterTestScript) shell.parse(test.text(), file);
            script.begin(filters, test.path(), outcomes);
            script.run();
        } catch (CompilationFailedException e) {
            outcomes.add(TestReport.Outcome.failed("", String.valueOf(e.getMessage())));
        } catch (Exception | Error e) {
            outcomes.add(TestReport.Outcome.failed("", e));
        }
        return new TestReport.TestedFile(test.path(), outcomes);
    }

    private static CompilerConfiguration configuration() {
        CompilerConfiguration configuration = new CompilerConfiguration();
        configuration.setScriptBaseClass(FilterTestScript.class.getName());
        ImportCustomizer imports = new ImportCustomizer();
        imports.addStarImports("dev.lychgate.filter", "dev.lychgate.filters.testing", "dev.lychgate.error");
        imports.addImports("java.time.Duration");
        configuration.addCompilationCustomizers(imports);
        return configuration;
    }
}
