package dev.lychgate.filters.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.re2j.Pattern;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.Secret;
import dev.lychgate.filter.Setting;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings of the types BigDecimal and Secret in records, and messages about secrets. */
class SettingTypesTest {
    private static final String CANARY = "c4n4ry";

    record Numbers(
            @Setting(min = "0.25", max = "1.5", defaultValue = "0.5")
            BigDecimal ratio,

            @Setting(optional = true) @Nullable BigDecimal free,
            @Setting(min = "0", optional = true) @Nullable BigDecimal floor,
            @Setting(defaultValue = {"1", "2.5"}) List<BigDecimal> steps) {}

    record Secrets(
            Secret apiKey,
            @Setting(optional = true) List<Secret> tokens,
            @Setting(optional = true) Map<String, String> headers,
            @Setting(optional = true) Pattern secret,
            @Setting(optional = true, min = "1", max = "9") Integer key) {}

    record Unmasked(Secret pin) {}

    private static SettingValues numbers(Map<String, ?> written) {
        return SettingValues.of(DeclaredSettings.of(Numbers.class), written);
    }

    private static SettingValues secrets(Map<String, ?> written) {
        return SettingValues.of(DeclaredSettings.of(Secrets.class), written);
    }

    @Test
    void readsDecimalNumbersWithoutRounding() throws Exception {
        Numbers read = (Numbers) DeclaredSettings.record(
                Numbers.class,
                numbers(Map.of("ratio", 1, "free", "-0.10000000000000000000001", "steps", List.of("1e3", 2))));
        assertThat(read.ratio()).isEqualByComparingTo("1");
        assertThat(read.free()).isEqualTo(new BigDecimal("-0.10000000000000000000001"));
        assertThat(read.steps()).containsExactly(new BigDecimal("1e3"), new BigDecimal(2));
        Numbers defaults = (Numbers) DeclaredSettings.record(Numbers.class, numbers(Map.of()));
        assertThat(defaults)
                .isEqualTo(
                        new Numbers(new BigDecimal("0.5"), null, null, List.of(BigDecimal.ONE, new BigDecimal("2.5"))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ratio | 0.2 | ratio: 0.2 (expected: 0.25 to 1.5)",
                "ratio | 1.5000000001 | ratio: 1.5000000001 (expected: 0.25 to 1.5)",
                "ratio | 1e99 | ratio: 1e99 (expected: 0.25 to 1.5)",
                "ratio | -1e99 | ratio: -1e99 (expected: 0.25 to 1.5)",
                "floor | -0.0000000001 | floor: -0.0000000001 (expected: >= 0)",
                "free | true | free: true (expected: a number)",
                "free | 1.2.3 | free: 1.2.3 (expected: a number)",
                "free | . | free: . (expected: a number)",
                "free | 1e9999 | free: 1e9999 (expected: a number)",
                "free | '' | free:  (expected: a number)",
                "free | 1,5 | free: 1,5 (expected: a number)",
                "steps | x | steps: x (expected: a number)"
            })
    void refusesTextsThatAreNoNumbersAndNumbersOutOfRange(String name, String value, String message) {
        assertThat(numbers(Map.of(name, value)).faults())
                .singleElement()
                .extracting(ConfigException::getMessage)
                .isEqualTo(message);
    }

    @Test
    void readsSecretsAndPrintsNone() throws Exception {
        SettingValues values = secrets(Map.of("api-key", CANARY, "tokens", List.of(CANARY + 1, CANARY + 2)));
        Secrets read = (Secrets) DeclaredSettings.record(Secrets.class, values);
        assertThat(read.apiKey().value()).isEqualTo(CANARY);
        assertThat(read.tokens()).containsExactly(new Secret(CANARY + 1), new Secret(CANARY + 2));
        assertThat(read.toString() + values.all()).doesNotContain(CANARY);
        NamedFilter filter = NamedFilter.of("Keyed", Secrets.class, settings -> {
            throw new IllegalArgumentException("refused with " + settings.apiKey());
        });
        assertThat(Objects.requireNonNull(filter.use(values, "")).toString()).doesNotContain(CANARY);
        assertThatThrownBy(() -> filter.make(values)).hasMessageContaining("refused with ***");
    }

    @Test
    void refusesASecretWhoseNamePagesDoNotMask() {
        assertThatThrownBy(() -> DeclaredSettings.of(Unmasked.class))
                .hasMessage(
                        "setting pin has the type Secret and a name that pages do not mask (expected: a name that ends with"
                                + " password, secret, token, credentials or key)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"api-key", "tokens", "secret", "key", "password"})
    void masksTheRefusedValueOfASecret(String name) {
        for (Object value : List.of(
                List.of(Map.of(CANARY, CANARY)), Map.of("authorization", List.of(CANARY)), CANARY + "(", 987654321)) {
            secrets(Map.of(name, value)).faults().forEach(fault -> {
                assertThat(fault.getMessage()).doesNotContain(CANARY).doesNotContain("987654321");
            });
        }
    }

    @Test
    void masksTheRefusedValueOfASecretHeader() {
        assertThat(secrets(Map.of("api-key", "a", "headers", Map.of("authorization", List.of(CANARY))))
                        .faults())
                .singleElement()
                .extracting(ConfigException::getMessage)
                .isEqualTo("headers.authorization: *** (expected: text)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "api-key | 987654321 | api-key: *** (expected: text; put it in quotes: ***)",
                "key | 987654321 | key: *** (expected: 1 to 9)",
                "passwd | c4n4ry | passwd: *** (expected: one of api-key, tokens, headers, secret, key)"
            })
    void statesTheExpectationForASecret(String name, String value, String message) {
        Object written = value.matches("\\d+") ? (Object) Integer.valueOf(value) : value;
        Map<String, Object> all = new LinkedHashMap<>(Map.of("api-key", "a"));
        all.put(name, written);
        assertThat(secrets(all).faults())
                .singleElement()
                .extracting(ConfigException::getMessage)
                .isEqualTo(message);
    }
}
