package dev.lychgate.server.reload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Secrets in the settings of a filter in Groovy: accepted as texts, and never in the messages about refused ones. */
@Tag("slow")
class SecretSettingsTest {
    private static final String FILTER = """
            enum Pick { FIRST, LAST }
            settings {
                int size = 1
                boolean strict = false
                Duration per = 1.s
                Pick pick = Pick.FIRST
                Pattern match = '/'
                @Setting(max = 1) List<String> names = []
                Map<String, String> fields = [:]
                Secret apiToken = 'none'
                String text = ''
            }
            if (text.startsWith('bad') || apiToken.value().startsWith('bad')) {
                throw new IllegalArgumentException("$text and ${apiToken.value()} are refused")
            }
            filter { }
            """;

    @TempDir
    Path home = Path.of("");

    @BeforeEach
    void write() throws Exception {
        Files.createDirectories(home.resolve("filters/inbound"));
        Files.writeString(home.resolve("filters/inbound/Own.groovy"), FILTER);
        secret("planted-secret-value");
    }

    private void secret(String text) throws Exception {
        Path file = Files.writeString(home.resolve("secret"), text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private Path config(String settings) throws Exception {
        return Files.writeString(home.resolve("gateway.yml"), """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                filters: { directory: filters }
                routes: [{ id: all, filters: [{ Own: { %s } }], respond: { status: 200 } }]
                """.formatted(settings));
    }

    private List<String> faults(String settings) throws Exception {
        Path config = config(settings);
        RefusedException refused = catchThrowableOfType(
                RefusedException.class, () -> FileGateway.check(config, name -> null, times -> {}));
        assertThat(refused).as(settings).isNotNull();
        return refused.faults();
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '!',
            delimiter = '|',
            value = {
                "text: \"${file:secret}\"",
                "api-token: \"${file:secret}\"",
                "names: \"${file:secret}\"",
                "names: [\"${file:secret}\"]",
                "fields: { a: \"x ${file:secret}\", b: c }"
            })
    void acceptsTexts(String settings) throws Exception {
        assertThat(FileGateway.check(config(settings), name -> null, times -> {}))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '!',
            delimiter = '|',
            value = {
                "size: \"${file:secret}\"|size|a value that is not secret, because only a text may be secret",
                "strict: \"${file:secret}\"|strict|a value that is not secret, because only a text may be secret",
                "per: \"${file:secret}\"|per|a value that is not secret, because only a text may be secret",
                "pick: \"${file:secret}\"|pick|a value that is not secret, because only a text may be secret",
                "match: \"${file:secret}\"|match|a value that is not secret, because only a text may be secret",
                "fields: \"${file:secret}\"|fields|a value that is not secret, because only a text may be secret",
                "unknown: \"${file:secret}\"|unknown|one of size, strict"
            })
    void refusesOtherTypesWithoutTheSecret(String settings, String key, String expected) throws Exception {
        assertThat(faults(settings))
                .singleElement()
                .asString()
                .contains("routes[0].filters[0].Own." + key + ": ", expected)
                .doesNotContain("planted");
    }

    /** An empty secret would equal the empty credential of a client. */
    @ParameterizedTest
    @ValueSource(strings = {"api-token: \"\"", "api-token: \"${NONE:}\""})
    void refusesAnEmptySecret(String settings) throws Exception {
        assertThat(faults(settings))
                .singleElement()
                .asString()
                .contains("routes[0].filters[0].Own.api-token: ", "(expected: a text that is not empty");
    }

    @Test
    void refusesAListWithoutItsSecrets() throws Exception {
        assertThat(faults("names: [a, \"${file:secret}\"]"))
                .singleElement()
                .asString()
                .contains("Own.names: ", "at most 1 item")
                .doesNotContain("planted");
    }

    @ParameterizedTest
    @CsvSource({"bad-planted-secret", "bad-planted-secret with \" and \\ and ${x}", "bad"})
    void theMessageOfTheFilterHasNoSecretOfTheFile(String secret) throws Exception {
        secret(secret);
        assertThat(faults("text: \"${file:secret}\", api-token: plain-token"))
                .singleElement()
                .asString()
                .contains("*** and *** are refused", "inbound/Own.groovy:14:")
                .doesNotContain(secret)
                .doesNotContain("plain-token");
    }

    @Test
    void theMessageOfTheFilterHasNoSecretThatIsInTheConfiguration() throws Exception {
        assertThat(faults("text: shown, api-token: bad-token-in-the-file"))
                .singleElement()
                .asString()
                .contains("shown and *** are refused")
                .doesNotContain("bad-token");
    }
}
