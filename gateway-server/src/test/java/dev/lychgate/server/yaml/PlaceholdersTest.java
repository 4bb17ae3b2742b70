package dev.lychgate.server.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.GatewayConfig;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlaceholdersTest {
    private static final Map<String, String> ENV =
            Map.of("PORT", "8080", "EMPTY", "", "TRICK", "x, name: y", "AGAIN", "${PORT}", "N", "7", "YES", "true");

    private static final Path FILE = Path.of("gateway.yml");

    private final Placeholders placeholders = new Placeholders(ENV::get);

    @ParameterizedTest
    @CsvSource({
        "${PORT}, 8080",
        "a${PORT}b${N}c, a8080b7c",
        "${NONE:9090}, 9090",
        "${PORT:9090}, 8080",
        "${NONE:http://a:1}, http://a:1",
        "'${NONE:}', ''",
        "'${EMPTY:x}', ''",
        "$${PORT}, ${PORT}",
        "${AGAIN}, ${PORT}",
        "$PORT, $PORT",
        "/a/{id}, /a/{id}"
    })
    void fillsIn(String text, String filled) {
        assertThat(placeholders.fill(text, FILE).text()).isEqualTo(filled);
    }

    @ParameterizedTest
    @ValueSource(strings = {"${NONE}", "${", "${PORT", "${}", "${a b}", "${1A}", "${:x}"})
    void refusesMalformedAndUnsetPlaceholders(String text) {
        assertThatThrownBy(() -> placeholders.fill(text, FILE)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void worksInEveryScalarWhateverItsType() throws FaultyConfigException {
        GatewayConfig config =
                new ConfigReader(ENV::get).read("gateway.yml", """
                        workers: ${N:2}
                        drain: { timeout: "${WAIT:3s}" }
                        listeners:
                          - name: ${NAME:main}
                            address: 127.0.0.1:${PORT}
                            forwarded: ${YES}
                        """).config();

        assertThat(config.workers()).isEqualTo(7);
        assertThat(config.drain()).hasSeconds(3);
        assertThat(config.listeners().get(0).address()).hasToString("127.0.0.1:8080");
        assertThat(config.listeners().get(0).forwarded()).isTrue();
    }

    @Test
    void neverParsesAVariableAsYaml() {
        assertThatThrownBy(() -> new ConfigReader(ENV::get)
                        .read("gateway.yml", "listeners:\n  - name: ${TRICK}\n    address: 127.0.0.1:0\n"))
                .hasMessageContaining(
                        "gateway.yml:2:11: listeners[0].name: x, name: y (expected: a name of at most 64 characters: letters");
    }

    @Test
    void reportsAMissingVariableWithItsPlace() {
        assertThatThrownBy(() -> new ConfigReader(ENV::get)
                        .read("gateway.yml", "listeners:\n  - name: a\n    address: \"0.0.0.0:${HTTP_PORT}\"\n"))
                .hasMessage("gateway.yml:3:14: listeners[0].address: 0.0.0.0:${HTTP_PORT} (expected: environment"
                        + " variable HTTP_PORT to be set, or a default: ${HTTP_PORT:default})");
    }
}
