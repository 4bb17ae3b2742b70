package dev.lychgate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.sun.net.httpserver.HttpServer;
import dev.lychgate.filter.BlockingFilter;
import dev.lychgate.filter.Filter;
import dev.lychgate.filters.groovy.BuiltFilters;
import dev.lychgate.filters.groovy.FilterSource;
import dev.lychgate.filters.groovy.FilterSources;
import dev.lychgate.filters.groovy.GroovyFilter;
import dev.lychgate.filters.groovy.GroovyFilters;
import dev.lychgate.filters.settings.NamedFilter;
import dev.lychgate.filters.testing.OriginResponse;
import dev.lychgate.filters.testing.TestExchange;
import dev.lychgate.filters.testing.TestResult;
import dev.lychgate.server.reload.FileGateway;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** The filters of docs/filters.md compile together and have the documented effects. */
@Tag("slow")
class DocumentedGroovyTest {
    private static final Path PAGE = Path.of("../docs/filters.md");
    private static final Pattern SNIPPET = Pattern.compile("```groovy\\n// (\\S+)\\n(.*?)```", Pattern.DOTALL);

    /** The directory of specifications, which the build runs. */
    private static final String SPECIFICATIONS = "gateway-filters/src/test/groovy/";

    @Test
    void theSpecificationsOfThePageMatchThoseOfTheBuild() throws Exception {
        List<String> seen = new ArrayList<>();
        Matcher snippets = SNIPPET.matcher(Files.readString(PAGE));
        while (snippets.find()) {
            if (snippets.group(1).startsWith(SPECIFICATIONS)) {
                seen.add(snippets.group(1));
                assertThat(snippets.group(2)).isEqualTo(Files.readString(Path.of("..", snippets.group(1))));
            }
        }
        assertThat(seen).hasSize(1);
    }

    /** Returns the filters of the page and {@code others}: path, text, path, text and so on. */
    private static BuiltFilters build(String... others) throws Exception {
        List<FilterSource> files = new ArrayList<>();
        Matcher snippets = SNIPPET.matcher(Files.readString(PAGE));
        while (snippets.find()) {
            if (!snippets.group(1).startsWith(SPECIFICATIONS)) {
                files.add(new FilterSource(snippets.group(1), snippets.group(2)));
            }
        }
        assertThat(files).hasSizeGreaterThanOrEqualTo(11);
        for (int i = 0; i < others.length; i += 2) {
            files.add(new FilterSource(others[i], others[i + 1]));
        }
        return new GroovyFilters().build(FilterSources.of(files));
    }

    /** The clock of the test kit does not advance, which a blocking filter would need. */
    private static List<Filter> withoutBlocking(BuiltFilters built) {
        return built.filters().stream()
                .map(GroovyFilter::filter)
                .filter(filter -> !(filter instanceof BlockingFilter))
                .toList();
    }

    @Test
    void theFiltersOfThePageHaveTheDocumentedEffects() throws Exception {
        try (BuiltFilters built = build()) {
            List<Filter> filters = withoutBlocking(built);
            try (TestResult closed = TestExchange.get("/shop/x").through(filters)) {
                assertThat(closed.getStatus()).isEqualTo(503);
                assertThat(closed.header("retry-after")).isEqualTo("120");
            }
            try (TestResult passed = TestExchange.get("/other").origin(200).through(filters)) {
                assertThat(passed.getStatus()).isEqualTo(200);
                assertThat(passed.header("x-served-by")).isEqualTo("lychgate");
            }
            try (TestResult refused =
                    TestExchange.get("/other").header("x-items", "1000").through(filters)) {
                assertThat(refused.getStatus()).isEqualTo(422);
            }
        }
    }

    @Test
    void theFiltersWithSettingsHaveTheDocumentedEffects() throws Exception {
        try (BuiltFilters built = build()) {
            Filter burst = named(built, "Burst").make(Map.of("size", 1, "per", "10m", "exempt", "probe"));
            assertThat(status(TestExchange.get("/"), burst)).isEqualTo(200);
            assertThat(status(TestExchange.get("/"), burst)).isEqualTo(429);
            assertThat(status(TestExchange.get("/").header("x-client", "probe"), burst))
                    .isEqualTo(200);
            Filter shield = named(built, "Shield").make(Map.of("methods", "DELETE"));
            assertThat(status(TestExchange.of("DELETE", "/"), shield)).isEqualTo(405);
            assertThat(status(TestExchange.get("/"), shield)).isEqualTo(200);
        }
    }

    private static int status(TestExchange exchange, Filter filter) {
        try (TestResult result = exchange.origin(200).through(filter)) {
            return result.getStatus();
        }
    }

    private static NamedFilter named(BuiltFilters built, String name) {
        return built.filters().stream()
                .filter(filter -> filter.name().equals(name))
                .findFirst()
                .orElseThrow()
                .named();
    }

    @Test
    void aRefusedSettingIsReportedAsDocumented(@TempDir Path home) throws Exception {
        String page = Files.readString(PAGE);
        String yaml = group(page, "```yaml\n([^`]*Burst.*?)```");
        Path filter =
                Files.createDirectories(home.resolve("my-filters/inbound")).resolve("Burst.groovy");
        Files.writeString(filter, group(page, "// inbound/Burst.groovy\n(.*?)```"));
        Path config = Files.writeString(home.resolve("gateway.yml"), yaml);
        assertThat(FileGateway.check(config, name -> null, times -> {})).isEmpty();

        Files.writeString(config, yaml.replace("size: 50", "size: 0"));
        String message = group(page, "`(gateway.yml:[^`]*Burst.size: 0[^`]*)`");
        assertThatThrownBy(() -> FileGateway.check(config, name -> null, times -> {}))
                .hasMessage(home.resolve(message).toString());
    }

    private static String group(String page, String regex) {
        Matcher found = Pattern.compile(regex, Pattern.DOTALL).matcher(page);
        assertThat(found.find()).as(regex).isTrue();
        return found.group(1);
    }

    @ParameterizedTest
    @CsvSource({
        "/status.json, application/json, {\"open\":true}",
        "/status.html, text/html; charset=utf-8, <p>open</p>",
        "/status.csv, text/csv, open",
        "/status.xml, application/xml, <open/>",
        "/status, text/plain; charset=utf-8, open",
    })
    void eachBodyIsSentWithItsTypeAlone(String path, String type, String body) throws Exception {
        try (BuiltFilters built = build();
                TestResult result = TestExchange.get(path).through(withoutBlocking(built))) {
            assertThat(result.getStatus()).isEqualTo(200);
            assertThat(result.getHeaders().getAll("content-type")).containsExactly(type);
            assertThat(result.getText().strip()).isEqualTo(body);
        }
    }

    @ParameterizedTest
    @CsvSource({"acme, 200", "'', 403", "ACME 1, 403", ", 200"})
    void theScriptWithAMaybeRejectsUnknownTenants(@Nullable String tenant, int status) throws Exception {
        TestExchange exchange = TestExchange.get("/tenants/1").origin(200);
        if (tenant != null) {
            exchange.header("x-tenant", tenant);
        }
        try (BuiltFilters built = build();
                TestResult result = exchange.through(withoutBlocking(built))) {
            assertThat(result.getStatus()).isEqualTo(status);
        }
    }

    @Test
    void theClassWithASingleRefusesOrSetsTheTier() throws Exception {
        try (BuiltFilters built = build();
                TestResult set = TestExchange.get("/other").through(withoutBlocking(built));
                TestResult refused =
                        TestExchange.get("/other").header("x-tier", "gold").through(withoutBlocking(built))) {
            assertThat(Objects.requireNonNull(set.getSent()).header("x-tier")).isEqualTo("gold");
            assertThat(refused.getStatus()).isEqualTo(403);
        }
    }

    @Test
    void theScriptsForOrdersMoveTheCustomerAndLogTheEnd() throws Exception {
        Logger logger = (Logger) LoggerFactory.getLogger("dev.lychgate.filter.orders");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(lines);
        try (BuiltFilters built = build()) {
            try (TestResult result =
                    TestExchange.get("/orders?customer=acme&x=1").origin(200).through(withoutBlocking(built))) {
                assertThat(Objects.requireNonNull(result.getSent()).getQuery()).isEqualTo("x=1");
                assertThat(result.header("x-order-of")).isEqualTo("acme");
                assertThat(result.header("x-attempts")).isEqualTo("1");
            }
            assertThat(lines.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .anyMatch(line -> line.contains("an order of acme ended with 200 after "));
        } finally {
            logger.detachAppender(lines);
        }
    }

    @Test
    void theAsynchronousScriptCallsItsService() throws Exception {
        HttpServer service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.createContext("/stock/", call -> {
            call.sendResponseHeaders(call.getRequestURI().getPath().equals("/stock/7") ? 200 : 404, -1);
            call.close();
        });
        service.start();
        System.setProperty(
                "stock.service", "http://127.0.0.1:" + service.getAddress().getPort() + "/stock/");
        try (BuiltFilters built = build();
                TestResult there = TestExchange.get("/items/7").through(withoutBlocking(built));
                TestResult gone = TestExchange.get("/items/8").through(withoutBlocking(built))) {
            assertThat(there.getStatus()).isEqualTo(200);
            assertThat(gone.getStatus()).isEqualTo(410);
        } finally {
            System.clearProperty("stock.service");
            service.stop(0);
        }
    }

    @Test
    void aValueFromABodyIsStoredForAnotherFilter() throws Exception {
        try (BuiltFilters built = build();
                TestResult signed = TestExchange.of("PUT", "/notes/1")
                        .body("milk\n-- ann\n")
                        .through(withoutBlocking(built));
                TestResult unsigned =
                        TestExchange.of("PUT", "/notes/1").body("milk").through(withoutBlocking(built))) {
            assertThat(signed.getStatus()).isEqualTo(200);
            assertThat(signed.header("x-written-by")).isEqualTo("ann");
            assertThat(unsigned.getStatus()).isEqualTo(422);
        }
    }

    @Test
    void fieldsAreReadAddedAndRemoved() throws Exception {
        OriginResponse response = OriginResponse.of(200)
                .header("vary", "accept")
                .header("x-debug-a", "1")
                .header("x-debug-b", "2")
                .header("x-where", "internal: 7")
                .header("x-where", "else");
        try (BuiltFilters built = build();
                TestResult result =
                        TestExchange.get("/other").origin(request -> response).through(withoutBlocking(built))) {
            assertThat(result.getStatus()).isEqualTo(200);
            assertThat(result.getHeaders().getAll("vary")).containsExactly("accept", "accept-language");
            assertThat(result.header("x-vary")).isEqualTo("accept, accept-language");
            assertThat(result.header("x-names")).isEqualTo("2");
            assertThat(result.header("x-where")).isNull();
        }
    }

    @Test
    void aTransformChangesABodyAsItPasses() throws Exception {
        try (BuiltFilters built = build();
                TestResult result =
                        TestExchange.get("/a.csv").origin(200, "a;b\n1;2\n").through(withoutBlocking(built))) {
            assertThat(result.getText()).isEqualTo("a,b\n1,2\n");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "failClosed()\nfilter { throw new IOException('on purpose') }",
                "filter { it.fail(dev.lychgate.error.ErrorKind.INTERNAL, 'no') }"
            })
    void theErrorOfAnOutboundFilterPassesOnlyErrorFilters(String broken) throws Exception {
        try (BuiltFilters built = build(
                        "outbound/first.groovy", "order(-10)\nfilter { it.response.headers['x-first'] = '1' }",
                        "outbound/broken.groovy", broken,
                        "outbound/last.groovy", "order 10\nfilter { it.response.headers['x-last'] = '1' }");
                TestResult result = TestExchange.get("/other").through(withoutBlocking(built))) {
            assertThat(result.getStatus()).isEqualTo(500);
            assertThat(result.getRan())
                    .contains("first", "broken", "frame_options")
                    .doesNotContain("last");
            assertThat(result.header("x-first")).isNull();
            assertThat(result.header("x-last")).isNull();
            assertThat(result.header("x-frame-options")).isEqualTo("DENY");
        }
    }

    @Test
    void theResponseOfAnOutboundFilterPassesNoFurtherFilter() throws Exception {
        try (BuiltFilters built = build(
                        "outbound/first.groovy", "order(-10)\nfilter { it.response.headers['x-first'] = '1' }",
                        "outbound/instead.groovy", "filter { it.respond(410) }",
                        "outbound/last.groovy", "order 10\nfilter { it.response.headers['x-last'] = '1' }");
                TestResult result = TestExchange.get("/other").through(withoutBlocking(built))) {
            assertThat(result.getStatus()).isEqualTo(410);
            assertThat(result.header("x-first")).isNull();
            assertThat(result.header("x-last")).isNull();
        }
    }
}
