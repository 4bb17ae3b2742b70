package dev.lychgate.filters.groovy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Inbound and endpoint filters that read the response before it exists are refused. */
class EarlyResponsesTest {
    private static final String CLASS = """
            import dev.lychgate.filter.*

            class Early implements SyncFilter {
                FilterOutcome filter(FilterExchange exchange) {
                    %s
                    exchange.proceed()
                }

                private static int later(FilterExchange exchange) { exchange.response.status }
            }
            """;

    private static void isRefused(String file, int line, int column, String text) throws Exception {
        List<FilterFault> faults = Sources.refused(file, text);
        assertThat(faults)
                .singleElement()
                .isEqualTo(new FilterFault(
                        file,
                        line,
                        column,
                        "there is no response yet in this phase: read it in an outbound filter, or in onCompleted"));
    }

    private static void isAccepted(String file, String text) throws Exception {
        new GroovyFilters().build(Sources.of(file, text)).close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "inbound/a.groovy  | filter { it.response.headers['x'] = 'y' }                   | 12",
                "endpoint/a.groovy | filter { it.response.headers['x'] = 'y'; it.respond(200) }  | 12",
                "inbound/a.groovy  | filter { exchange -> if (exchange.response.status > 1) { } } | 34",
                "inbound/a.groovy  | async { e -> e.getResponse(); null }                        | 14",
                "inbound/a.groovy  | blocking { it.response.status = 201 }                       | 14",
            })
    void refusesAResponseInTheClosureOfAScript(String file, String text, int column) throws Exception {
        isRefused(file, 2, column, "// first line\n" + text);
    }

    @Test
    void refusesAResponseInTheMethodOfAFilterClass() throws Exception {
        isRefused("inbound/Early.groovy", 5, 17, CLASS.formatted("exchange.response.status"));
    }

    @Test
    void acceptsAResponseInAMethodThatMayRunLater() throws Exception {
        isAccepted("inbound/Early.groovy", CLASS.formatted("exchange.onCompleted { later(exchange) }"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"outbound/a.groovy", "error/a.groovy"})
    void acceptsAResponseInPhasesThatHaveOne(String file) throws Exception {
        isAccepted(file, "filter { it.response.headers['x'] = 'y' }");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "filter { e -> e.onCompleted { e.response.status } }",
                "async { e -> e.call('a').get('/').send().thenApply { response -> response.status }.thenApply { null } }",
                "filter { Map m = [response: 1]; m.response; null }",
                "class Pair { int response }\n filter { new Pair().response; null }",
            })
    void acceptsOtherCode(String text) throws Exception {
        isAccepted("inbound/a.groovy", text);
    }
}
