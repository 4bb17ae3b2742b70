package dev.lychgate.server.reload;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

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

/** The filters of docs/filter-state.md run together and keep their state. */
@Tag("slow")
class DocumentedFilterStateTest {
    private static final Path PAGE = Path.of("../docs/filter-state.md");
    private static final Pattern SNIPPET = Pattern.compile("```groovy\\n// (\\S+)\\n(.*?)```", Pattern.DOTALL);

    @TempDir
    Path home = Path.of("");

    @Test
    void theFiltersOfThePageKeepTheirStateOverAReload() throws Exception {
        List<String> filters = new ArrayList<>();
        Matcher snippets = SNIPPET.matcher(Files.readString(PAGE));
        while (snippets.find()) {
            filters.add(snippets.group(1));
            filters.add(snippets.group(2));
        }
        assertThat(filters).hasSize(14);
        ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("origin")));
        try (FilterDirectoryGateway gateway =
                new FilterDirectoryGateway(home, origin, "", filters.toArray(String[]::new))) {
            assertThat(gateway.get("/").status()).isEqualTo(401);
            gateway.reload("inbound/other.groovy", "filter { }");
            assertThat(gateway.get("/").status()).isEqualTo(401);
            String filtersPage = gateway.admin("/filters");
            assertThat(filtersPage)
                    .contains("\"file\":\"inbound/Burst.groovy\",\"name\":\"by client\"")
                    .contains("\"name\":\"tally\",\"type\":\"Tally with a codec\"")
                    .contains("\"name\":\"verdicts\",\"type\":\"cache of 50000 entries, 8388608 bytes, ttl PT1M\"");
            assertThat(gateway.admin("/metrics"))
                    .contains("lychgate_filter_own_value{file=\"outbound/Measured.groovy\",label=\"\",name=\"year\"} 2")
                    .contains("{file=\"outbound/Measured.groovy\",label=\"free\",name=\"heap\"}")
                    .contains("lychgate_filter_own_seconds_count"
                            + "{file=\"outbound/Measured.groovy\",label=\"bad\",name=\"work\"} 2");
            eventually(() -> assertThat(System.getProperty("opening")).isEqualTo("closed"));
            // It was opened before, and so is closed after the other.
            eventually(() -> assertThat(System.getProperty("counted")).isNotNull());
            assertThat(gateway.warnings()).isEmpty();
        } finally {
            System.clearProperty("opening");
            System.clearProperty("counted");
        }
    }

    @Test
    void aCreationForEachExchangeIsReportedAsThePageShows() throws Exception {
        Path filter = Files.createDirectories(home.resolve("filters/inbound")).resolve("Slow.groovy");
        Files.writeString(filter, """
                import java.util.concurrent.Executors

                filter {
                    def pool = Executors.newFixedThreadPool(2)
                    pool.submit { it.log.info('later') }
                }
                """);
        Path config = Files.writeString(
                home.resolve("gateway.yml"),
                "listeners: [{ name: main, address: \"127.0.0.1:0\" }]\n"
                        + "filters: { directory: filters }\nroutes: [{ id: all, respond: { status: 204 } }]\n");
        assertThat(FileGateway.check(config, name -> null, report -> {}))
                .singleElement()
                .satisfies(warning -> assertThat(Files.readString(PAGE)).contains("```\n" + warning + "\n```"));
    }
}
