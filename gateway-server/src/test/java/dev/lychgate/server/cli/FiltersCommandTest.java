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
    void describesTheTypesOfNumbersAndSecretsAndHidesTheirDefaults() throws Exception {
        Files.writeString(home.resolve("filters/inbound/Keyed.groovy"), """
                settings {
                    @Setting(min = '0.1') BigDecimal ratio = 0.5
                    @Setting(max = '2.5') BigDecimal most = null
                    Secret apiKey
                    Secret oldKey = 'c4n4ry'
                }
                filter { null }
                """);
        assertThat(terminal.run("filters", "describe", "Keyed", "--config", config))
                .isZero();
        assertThat(terminal.out()).isEqualToNormalizingNewlines("""
                Keyed (inbound, inbound/Keyed.groovy)
                  ratio    number, >= 0.1, default 0.5
                  most     number, 0 to 2.5, optional
                  api-key  secret text, required
                  old-key  secret text, default ***
                """);
    }

    @Test
    void describesTheProperties() throws Exception {
        Files.writeString(home.resolve("filters/inbound/Live.groovy"), """
                def limit = property('limit', 5)
                def names = property('names', ['a', 'b'])
                def wait = property('wait', java.time.Duration.ofSeconds(2))
                filter { null }
                """);
        assertThat(terminal.run("filters", "describe", "Live", "--config", config))
                .isZero();
        assertThat(terminal.out()).isEqualToNormalizingNewlines("""
                Live (inbound, inbound/Live.groovy)
                  no settings
                  property limit  a whole number, default 5
                  property names  a list of texts, default [a, b]
                  property wait  a duration, such as 5s, default PT2S
                """);
        Terminal programs = new Terminal();
        assertThat(programs.run("filters", "describe", "Live", "--json", "--config", config))
                .isZero();
        assertThat(programs.out())
                .contains("\"properties\":[{\"name\":\"limit\",\"type\":\"a whole number\",\"default\":\"5\"},")
                .contains("{\"name\":\"names\",\"type\":\"a list of texts\",\"default\":\"[a, b]\"}");
    }

    @Test
    void describesBuiltInFiltersAndFiltersWithoutSettings() {
        assertThat(terminal.run("filters", "describe", "size-limit")).isZero();
        assertThat(terminal.run("filters", "describe", "Plain", "--config", config))
                .isZero();
        assertThat(terminal.out())
                .startsWith("size-limit (built-in): rejects a request with 413 if its body is longer")
                .contains("  limit  size, required: the maximum length of a body")
                .endsWith("Plain (inbound, inbound/Plain.groovy)\n  no settings\n");
    }

    @Test
    void suggestsTheNearestName() {
        assertThat(terminal.run("filters", "describe", "Qouta", "--config", config))
                .isEqualTo(1);
        assertThat(terminal.err()).contains("unknown filter Qouta; did you mean 'Quota'?");
    }
}
