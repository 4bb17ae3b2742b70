package dev.lychgate.server.reload;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.admin.Generations.Outcome;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Properties of filters, which reloads change while the filters stay loaded. */
@Tag("slow")
class FilterPropertiesTest {
    private static final String LIMIT = """
            def limit = property('limit', 100)
            def loads = shared('loads') { new java.util.concurrent.atomic.LongAdder() }
            def own = new Object()
            loads.increment()
            limit.onChange { was, now -> Events.add(was + ' to ' + now + ' on ' + Thread.currentThread().name) }
            onUnload { Events.add('unloaded') }
            filter {
                it.response.headers['x-limit'] = it.get(limit) + 1
                it.response.headers['x-loads'] = loads.sum()
                it.response.headers['x-own'] = System.identityHashCode(own)
            }
            """;

    @TempDir
    Path home = Path.of("");

    private FilterDirectoryGateway start(String... filters) throws Exception {
        return new FilterDirectoryGateway(
                home, ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("origin"))), "", filters);
    }

    private Outcome set(FilterDirectoryGateway gateway, String properties) throws Exception {
        Path file = home.resolve("gateway.yml");
        String text = Files.readString(file);
        Files.writeString(
                file,
                text.replaceFirst(
                        "filters: \\{ directory.*",
                        "filters: { directory: filters, properties: {" + properties + "} }"));
        return gateway.reload();
    }

    private static String header(FilterDirectoryGateway gateway, String name) throws Exception {
        return gateway.get("/").value(name).orElse("none");
    }

    @Test
    void changeWhileTheFiltersStayLoaded() throws Exception {
        try (FilterDirectoryGateway gateway = start("outbound/limit.groovy", LIMIT)) {
            assertThat(header(gateway, "x-limit")).isEqualTo("101");
            String own = header(gateway, "x-own");
            assertThat(set(gateway, "limit: 7")).isEqualTo(new Outcome.Taken(2));
            assertThat(header(gateway, "x-limit")).isEqualTo("8");
            assertThat(set(gateway, "limit: 9")).isEqualTo(new Outcome.Taken(3));
            assertThat(header(gateway, "x-limit")).isEqualTo("10");
            assertThat(header(gateway, "x-loads")).isEqualTo("1");
            assertThat(header(gateway, "x-own")).isEqualTo(own);
            eventually(() -> assertThat(gateway.events)
                    .containsExactly("100 to 7 on lychgate-properties", "7 to 9 on lychgate-properties"));
            assertThat(set(gateway, "limit: 9")).isEqualTo(new Outcome.Taken(3));
        }
    }

    @Test
    void returnToTheirValuesByARollback() throws Exception {
        try (FilterDirectoryGateway gateway = start("outbound/limit.groovy", LIMIT)) {
            set(gateway, "limit: 7");
            for (int i = 0; i < 2 * History.KEPT; i++) {
                set(gateway, "limit: " + (20 + i));
            }
            long kept = gateway.generation() - 1;
            assertThat(gateway.rollback(kept)).isInstanceOf(Outcome.Taken.class);
            assertThat(header(gateway, "x-limit")).isEqualTo("" + (20 + 2 * History.KEPT - 2 + 1));
            assertThat(header(gateway, "x-loads")).isEqualTo("1");
            eventually(() -> assertThat(gateway.events)
                    .hasSize(2 * History.KEPT + 2)
                    .last()
                    .isEqualTo("29 to 28 on lychgate-properties"));
            assertThat(gateway.admin("/filters")).contains("\"name\":\"loads\"");
        }
    }

    @Test
    void areReadByNewFiltersWithoutACall() throws Exception {
        try (FilterDirectoryGateway gateway = start("outbound/limit.groovy", LIMIT)) {
            gateway.write("outbound/limit.groovy", LIMIT + "// changed");
            set(gateway, "limit: 7");
            assertThat(header(gateway, "x-limit")).isEqualTo("8");
            assertThat(header(gateway, "x-loads")).isEqualTo("2");
            eventually(() -> assertThat(gateway.events).containsExactly("unloaded"));
        }
    }

    @Test
    void doNotChangeForAnExchangeInProgress() throws Exception {
        Gate response = new Gate();
        ScriptedOrigin origin =
                ScriptedOrigin.answering((r, c) -> c.stallUntil(response).send(Responses.ok("origin")));
        String in = """
                def limit = property('limit', 100)
                filter { it.request.headers['x-in'] = it.get(limit) }
                """;
        String out = """
                def limit = property('limit', 100)
                filter { it.response.headers['x-out'] = it.get(limit) + '/' + limit.get() }
                """;
        try (FilterDirectoryGateway gateway = new FilterDirectoryGateway(
                        home, origin, "", "inbound/in.groovy", in, "outbound/out.groovy", out);
                RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(origin.awaitRequests(1).get(0).value("x-in")).contains("100");
            set(gateway, "limit: 7");
            response.open();
            assertThat(client.readResponse().value("x-out")).contains("100/7");
            assertThat(client.get("/").value("x-out")).contains("7/7");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "true | a: false | false",
                "1 | a: 2 | 2",
                "1L | a: 12345678901 | 12345678901",
                "1.5d | a: 0.25 | 0.25",
                "1.5 | a: 2.50 | 2.50",
                "'x' | a: 7 | 7",
                "java.time.Duration.ofSeconds(1) | a: 250ms | PT0.25S",
                "['x'] | a: [y, 'true'] | [y, true]",
                "['x'] | a: y | [y]",
            })
    void haveTheTypeOfTheirDefault(String otherwise, String configured, String expected) throws Exception {
        String filter = """
                def a = property('a', %s)
                filter { it.response.headers['x-a'] = it.get(a).toString() }
                """.formatted(otherwise);
        try (FilterDirectoryGateway gateway = start("outbound/a.groovy", filter)) {
            set(gateway, configured);
            assertThat(header(gateway, "x-a")).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "true | yes | true or false",
                "1 | 1.5 | a whole number",
                "1 | [1] | ok",
                "1 | [1, 2] | a whole number",
                "1 | 99999999999 | a whole number",
                "1.5d | x | a number",
                "java.time.Duration.ofSeconds(1) | 5 | a duration, such as 5s",
            })
    void checksTheTypeOfAProperty(String otherwise, String value, String expected) throws Exception {
        try (FilterDirectoryGateway gateway =
                start("outbound/a.groovy", "// first\ndef a = property('a', " + otherwise + ")\nfilter { }")) {
            Outcome outcome = set(gateway, "a: " + value);
            if (expected.equals("ok")) {
                assertThat(outcome).isInstanceOf(Outcome.Taken.class);
                return;
            }
            assertThat(((Outcome.Refused) outcome).faults())
                    .singleElement()
                    .asString()
                    .matches(".*gateway.yml:3:\\d+: filters.properties.a.*" + "expected: " + expected
                            + ", as at outbound/a.groovy:2\\)?");
            // A build with the same value reports the same.
            gateway.write("outbound/a.groovy", "def a = property('a', " + otherwise + ")\nfilter { }");
            assertThat(gateway.reload()).isInstanceOf(Outcome.Refused.class);
            assertThat(gateway.generation()).isEqualTo(1);
        }
    }

    @Test
    void withADefaultOfAnotherTypeRefuseTheFilter() throws Exception {
        try (FilterDirectoryGateway gateway = start("outbound/a.groovy", "filter { }")) {
            Outcome outcome = gateway.reload("outbound/a.groovy", "\ndef a = property('a', [1])\nfilter { }");
            assertThat(((Outcome.Refused) outcome).faults())
                    .singleElement()
                    .asString()
                    .contains("outbound/a.groovy:2", "property 'a' has a default of java.util.ArrayList");
        }
    }

    @Test
    void thatNoFilterReadsAreLogged() throws Exception {
        try (FilterDirectoryGateway gateway = start("outbound/limit.groovy", LIMIT)) {
            assertThat(set(gateway, "limti: 7")).isEqualTo(new Outcome.Taken(2));
            assertThat(gateway.logged())
                    .anyMatch(line -> line.contains("gateway.yml:3:")
                            && line.contains("filters.properties.limti")
                            && line.contains("no filter reads this property")
                            && line.contains("did you mean 'limit'?"));
        }
    }

    @Test
    void continueAfterAFailedCall() throws Exception {
        String failing = """
                def limit = property('limit', 100)
                limit.onChange { was, now -> throw new IllegalStateException('no') }
                limit.onChange { was, now -> Events.add('second ' + now) }
                filter { }
                """;
        try (FilterDirectoryGateway gateway = start("outbound/failing.groovy", failing)) {
            set(gateway, "limit: 7");
            set(gateway, "limit: 8");
            eventually(() -> assertThat(gateway.events).containsExactly("second 7", "second 8"));
            assertThat(gateway.logged())
                    .contains(
                            "outbound/failing.groovy:1: onChange of property 'limit' failed for the change from 100 to"
                                    + " 7; the property has the new value");
        }
    }

    @Test
    void areShownWithTheirReaders() throws Exception {
        try (FilterDirectoryGateway gateway = start("outbound/limit.groovy", LIMIT)) {
            set(gateway, "limit: 7");
            assertThat(gateway.admin("/filters"))
                    .contains("{\"name\":\"limit\",\"value\":\"7\",\"type\":\"a whole number\",\"default\":\"100\","
                            + "\"file\":\"outbound/limit.groovy\",\"place\":\"outbound/limit.groovy:1\"}");
            assertThat(gateway.admin("/config")).contains("limit");
        }
    }

    @Test
    void runTheFilterOfThePage() throws Exception {
        Matcher snippets = Pattern.compile("```groovy\\n// (\\S+)\\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("../docs/filter-properties.md")));
        List<String> filters = new ArrayList<>();
        while (snippets.find()) {
            filters.add(snippets.group(1));
            filters.add(snippets.group(2));
        }
        assertThat(filters).hasSize(2);
        try (FilterDirectoryGateway gateway = start(filters.toArray(String[]::new))) {
            assertThat(gateway.get("/").status()).isEqualTo(200);
            set(gateway, "limit: 0");
            eventually(() -> assertThat(gateway.get("/").status()).isEqualTo(429));
            set(gateway, "limit: 5");
            eventually(() -> assertThat(gateway.get("/").status()).isEqualTo(200));
            set(gateway, "limit: 5, maintenance: true");
            assertThat(gateway.get("/").status()).isEqualTo(503);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"""
                def limit = property('limit', 100)
                filter { limit.onChange { was, now -> Events.add('called') } }
                """, """
                import dev.lychgate.filter.*

                class Late implements SyncFilter {
                    FilterProperty<Integer> limit

                    void onLoad(FilterServices services) {
                        limit = services.property('limit', 100)
                    }

                    FilterOutcome filter(FilterExchange exchange) {
                        limit.onChange { was, now -> Events.add('called') }
                        exchange.proceed()
                    }
                }
                """})
    void refuseAnActionThatIsAddedInAnExchange(String filter) throws Exception {
        try (FilterDirectoryGateway gateway = start("inbound/Late.groovy", filter)) {
            assertThat(gateway.get("/").status()).isEqualTo(500);
            assertThat(gateway.logged()).anyMatch(line -> line.contains("filter Late failed"));
            set(gateway, "limit: 7");
            set(gateway, "limit: 8");
            assertThat(gateway.events).isEmpty();
        }
    }
}
