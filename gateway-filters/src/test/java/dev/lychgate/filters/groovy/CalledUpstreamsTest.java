package dev.lychgate.filters.groovy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Call-outs to upstreams that the configuration does not contain are reported if their names are constants. */
class CalledUpstreamsTest {
    private static List<String> unknown(String text) throws Exception {
        GroovyFilters groovy = new GroovyFilters();
        groovy.build(Sources.of("inbound/calls.groovy", text)).close();
        return groovy.report().unknownUpstreams(List.of("users", "https://login.test")::contains);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "async { exchange -> exchange.call('orders').get('/').send().thenApply { exchange.proceed() } }",
                "async { dev.lychgate.filter.FilterExchange it -> it.call('orders').get('/').send().thenApply { r -> it.proceed() } }",
                "filter { exchange -> exchange.onCompleted { exchange.call('orders') } }",
            })
    void namesTheFileTheLineAndTheUpstream(String text) throws Exception {
        assertThat(unknown("// first line\n" + text))
                .singleElement()
                .asString()
                .matches("inbound/calls\\.groovy:2:\\d+: the filter calls orders, which is not configured, so each call"
                        + " fails");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "async { exchange -> exchange.call('users').get('/').send().thenApply { exchange.proceed() } }",
                "filter { exchange -> def name = 'or' + 'ders'; if (exchange.request.path == name) exchange.call(name) }",
                "def call(String name) { name }; filter { call('orders') }",
            })
    void knownUpstreamsComputedNamesAndOtherMethodsAreNotReported(String text) throws Exception {
        assertThat(unknown(text)).isEmpty();
    }

    @Test
    void eachPlaceIsReportedInOrder() throws Exception {
        assertThat(unknown("""
                        async { exchange ->
                            exchange.call('b').get('/').send()
                            exchange.call('a').get('/').send().thenApply { exchange.proceed() }
                        }
                        """)).hasSize(2).first().asString().startsWith("inbound/calls.groovy:2:");
    }
}
