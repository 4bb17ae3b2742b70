package dev.lychgate.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code lychgate filters describe}. */
@Tag("slow")
class FiltersCommandTest {
    private final Terminal terminal = new Terminal();

    @TempDir
    Path home = Path.of("");

    private String config = "";

    @BeforeEach
    void files() throws Exception {
        Files.createDirectories(home.resolve("filters/inbound"));
        Files.writeString(home.resolve("filters/inbound/Quota.groovy"), """
                settings {
                    @Setting(about = 'requests at once', min = 1, max = 100)
                    int size = 20
                    Duration maxAge = 1.s
                    List<String> keys
                    String none = null
                }
                filter { null }
                """);
        Files.writeString(home.resolve("filters/inbound/Plain.groovy"), "filter { null }\n");
        config = Files.writeString(home.resolve("gateway.yml"), """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                filters: { directory: filters }
                routes: [{ id: a, respond: {} }]
                """).toString();
    }

    @Test
    void describesTheSettingsOfAFilter() {
        assertThat(terminal.run("filters", "describe", "Quota", "--config", config))
                .isZero();
        assertThat(terminal.out()).isEqualToNormalizingNewlines("""
                Quota (inbound, inbound/Quota.groovy)
                  size     whole number, 1 to 100, default 20: requests at once
                  max-age  duration, default 1s
                  keys     text or list of texts, required
                  none     text, optional
                """);
    }

    @Test
    void describesThemForPrograms() {
        assertThat(terminal.run("filters", "describe", "Quota", "--json", "--config", config))
                .isZero();
        assertThat(terminal.out())
                .contains("{\"name\":\"size\",\"type\":\"whole number\",\"required\":false,\"default\":\"20\","
                        + "\"accepted\":\"1 to 100\",\"about\":\"requests at once\"}")
                .contains("{\"name\":\"keys\",\"type\":\"text or list of texts\",\"required\":true}");
    }

    @Test
    void describesBuiltInFiltersAndFiltersWithoutSettings() {
        assertThat(terminal.run("filters", "describe", "size-limit")).isZero();
        assertThat(terminal.run("filters", "describe", "Plain", "--config", config))
                .isZero();
        assertThat(terminal.out())
                .startsWith("size-limit (built-in): rejects request bodies")
                .contains("  limit  size, required: the longest accepted body")
                .endsWith("Plain (inbound, inbound/Plain.groovy)\n  no settings\n");
    }

    @Test
    void suggestsTheNearestName() {
        assertThat(terminal.run("filters", "describe", "Qouta", "--config", config))
                .isEqualTo(1);
        assertThat(terminal.err()).contains("unknown filter Qouta; did you mean 'Quota'?");
    }
}
