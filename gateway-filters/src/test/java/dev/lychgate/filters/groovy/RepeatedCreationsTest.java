package dev.lychgate.filters.groovy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters that create pools, timers and clients for each exchange are accepted with a warning. */
class RepeatedCreationsTest {
    private static List<String> warnings(String file, String text) throws Exception {
        GroovyFilters groovy = new GroovyFilters();
        groovy.build(Sources.of(file, text)).close();
        return groovy.report().warnings();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "filter { java.util.concurrent.Executors.newFixedThreadPool(2).shutdown() } | a thread pool",
                "async { java.util.concurrent.Executors.newCachedThreadPool().shutdown(); null } | a thread pool",
                "filter { [1].each { new java.util.concurrent.ForkJoinPool(1).shutdown() } } | a thread pool",
                "blocking { new Timer(true).cancel() } | a timer",
                "filter { java.net.http.HttpClient.newHttpClient().version() } | an HTTP client",
                "filter { java.net.http.HttpClient.newBuilder().build().version() } | an HTTP client",
            })
    void warnsOfACreationInTheClosureOfAScript(String text, String created) throws Exception {
        assertThat(warnings("inbound/new.groovy", "// first line\n" + text))
                .singleElement()
                .asString()
                .matches("inbound/new\\.groovy:2:\\d+: each exchange creates " + created
                        + ", which nothing closes; create it"
                        + " once, while the filter is loaded, and register it with closeLater");
    }

    @Test
    void warnsOfACreationInAMethodThatReceivesTheExchange() throws Exception {
        String text = """
                import dev.lychgate.filter.*
                import java.util.concurrent.*

                class Creating implements SyncFilter {
                    private final ExecutorService pool = Executors.newCachedThreadPool()

                    FilterOutcome filter(FilterExchange exchange) {
                        Executors.newSingleThreadExecutor().shutdown()
                        exchange.proceed()
                    }

                    void onUnload() {
                        pool.shutdown()
                    }
                }
                """;
        assertThat(warnings("inbound/Creating.groovy", text))
                .singleElement()
                .asString()
                .startsWith("inbound/Creating.groovy:8:");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "def pool = closeLater(java.util.concurrent.Executors.newFixedThreadPool(1)); filter { pool.submit { } }",
                "onUnload { new Timer(true).cancel() }; filter { }",
                "filter { java.util.concurrent.Executors.callable { } }",
                "filter { new ArrayList<String>() }",
            })
    void acceptsOtherCodeWithoutAWarning(String text) throws Exception {
        assertThat(warnings("inbound/quiet.groovy", text)).isEmpty();
    }

    @Test
    void reportsNoWarningOfFilesThatWereNotCompiledAgain() throws Exception {
        GroovyFilters groovy = new GroovyFilters();
        String creating = "filter { new Timer(true).cancel() }";
        groovy.build(Sources.of("inbound/new.groovy", creating, "inbound/b.groovy", "filter { }"))
                .close();
        assertThat(groovy.report().warnings()).hasSize(1);
        groovy.build(Sources.of("inbound/new.groovy", creating, "inbound/b.groovy", "filter { it.request }"))
                .close();
        assertThat(groovy.report().warnings()).isEmpty();
    }
}
