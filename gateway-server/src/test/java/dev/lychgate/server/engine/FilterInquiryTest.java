package dev.lychgate.server.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.GatewayConfig;
import dev.lychgate.server.explain.Explanation;
import dev.lychgate.server.explain.Inquiry;
import dev.lychgate.server.yaml.ConfigReader;
import dev.lychgate.server.yaml.Environment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The explained filters of a request. */
@Tag("slow")
class FilterInquiryTest {
    private static final Environment ENVIRONMENT = name -> null;
    private static final String REST = """
            listeners: [{ name: main, address: "127.0.0.1:0" }]
            routes:
              - id: api
                match: { path: "/api/**" }
                filters: [{ set-request-header: { name: x-a, value: b, order: 5 } }, mine]
                upstream: api
              - { id: fixed, match: { path: "/fixed" }, respond: {} }
            upstreams: { api: { endpoints: ["http://127.0.0.1:9"] } }
            """;

    @TempDir
    Path home = Path.of("");

    private List<String> explain(String url) throws Exception {
        Path file = Files.writeString(home.resolve("gateway.yml"), "filters: { directory: filters }\n" + REST);
        GatewayConfig config = new ConfigReader(ENVIRONMENT).read(file).config();
        Explanation explanation = new DataPlaneEngine().explain(file, ENVIRONMENT, config, Inquiry.parse("GET", url));
        return ExplanationLines.of(explanation).stream()
                .dropWhile(line -> !line.startsWith("route ") && !line.startsWith("responds with 404"))
                .skip(1)
                .toList();
    }

    private void filter(String name, String text) throws Exception {
        Path file = home.resolve("filters").resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text + "\n");
    }

    @Test
    void eachFilterIsShownWithItsFileAndCondition() throws Exception {
        filter("inbound/mine.groovy", "applies { it.route == 'api' && it.upstream == 'api' }\nblocking { }");
        filter("inbound/query.groovy", "order(-3)\napplies { it.request.queryParameter('q') == '1' }\nfilter { }");
        filter("inbound/odd.groovy", "applies { throw new IllegalStateException('odd') }\nfilter { }");
        filter("endpoint/page.groovy", "applies { it.request.path.endsWith('/page') }\nasync { null }");
        filter("error/sorry.groovy", "filter { }");
        filter("outbound/stamp.groovy", "selfCheck { throw new IllegalStateException() }\nfilter { }");

        assertThat(explain("/api/x?q=1"))
                .containsExactly(
                        "  inbound query (order -3, sync, inbound/query.groovy)",
                        "  inbound odd (order 0, sync, inbound/odd.groovy): the condition of the filter fails: java.lang.IllegalStateException: odd",
                        "  inbound mine (order 0, blocking, inbound/mine.groovy)",
                        "  inbound set-request-header x-a (order 5, sync, built-in)",
                        "  endpoint page (order 0, async, endpoint/page.groovy): does not apply",
                        "  error sorry (order 0, sync, error/sorry.groovy): if the exchange fails",
                        "  outbound stamp (order 0, sync, outbound/stamp.groovy)");
        assertThat(explain("/fixed"))
                .contains("  inbound query (order -3, sync, inbound/query.groovy): does not apply")
                .noneMatch(line -> line.contains("mine") || line.contains("x-a"));
        assertThat(explain("/nowhere"))
                .contains("  error sorry (order 0, sync, error/sorry.groovy)")
                .noneMatch(line -> line.contains("mine") || line.contains("page"));
    }

    @Test
    void theRouteIsShownEvenIfFiltersCanNotBeBuilt() throws Exception {
        filter("inbound/mine.groovy", "filter { nonsense");
        assertThat(explain("/api/x"))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("filters can't be built: inbound/mine.groovy:");
    }
}
