package dev.lychgate.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyTest {
    @Test
    void refusesNumbersBesideTheBoundsAndNamesKeyValueAndRange() {
        Key<Integer> key = Key.number("streams", 100).between(1, 10_000);

        assertThatCode(() -> key.check(1)).doesNotThrowAnyException();
        assertThatCode(() -> key.check(10_000)).doesNotThrowAnyException();
        assertThatThrownBy(() -> key.check(0)).hasMessage("streams: 0 (expected: 1 to 10000)");
        assertThatThrownBy(() -> key.check(10_001)).hasMessage("streams: 10001 (expected: 1 to 10000)");
    }

    @ParameterizedTest
    @CsvSource({
        "100ms, 1h, 99ms, 100ms to 1h",
        "1s, 10m, 601s, 1s to 10m",
    })
    void statesBoundsOfDurationsAsTheyAreWritten(String low, String high, String refused, String expected) {
        Key<Duration> key = Key.duration("open", "5s").between(low, high);

        assertThatThrownBy(() -> key.check(Durations.parse(refused)))
                .hasMessage("open: " + refused + " (expected: " + expected + ")");
    }

    @Test
    void refusesNegativeDurationsByDefault() {
        assertThatThrownBy(() -> Key.duration("idle", "5m").check(Duration.ofSeconds(-1)))
                .hasMessage("idle: -1s (expected: >= 0 (0 = none))");
        assertThatThrownBy(() -> Key.duration("idle", "5m").positive().check(Duration.ZERO))
                .hasMessage("idle: 0 (expected: > 0)");
    }

    @Test
    void acceptsZeroBesideBoundsThatExcludeIt() {
        Key<ByteSize> key = Key.size("splice", "0").zeroOrAtLeast("32KiB");

        assertThatCode(() -> key.check(new ByteSize(0))).doesNotThrowAnyException();
        assertThatCode(() -> key.check(ByteSize.ofKiB(32))).doesNotThrowAnyException();
        assertThatThrownBy(() -> key.check(ByteSize.ofKiB(31)))
                .hasMessage("splice: 31KiB (expected: 0, or at least 32KiB)");
    }

    @Test
    void refusesItemsThatDoNotMatchAndListsThatAreTooLong() {
        Key<List<String>> key = Key.list("request", Form.FIELD_NAME).atMost(2);

        assertThatThrownBy(() -> key.check(List.of("a b")))
                .hasMessage("request: a b (expected: the name of a header field)");
        assertThatThrownBy(() -> key.check(List.of("a", "b", "c")))
                .hasMessage("request: 3 items (expected: at most 2 items)");
    }

    @Test
    void showsNoSecretThatItRefuses() {
        Key<String> key = Key.typed("secret", Form.SECRET, null).matching(Form.SECRET_RULE);

        assertThatThrownBy(() -> key.check("short")).hasMessageStartingWith("secret: *** (expected: 16 to 256");
    }

    @Test
    void readsWordsOfAnEnumInLowerCase() {
        Form<Transport> form = Key.choice("transport", Transport.AUTO).form();

        assertThat(form.parse().apply("io_uring")).isEqualTo(Transport.IO_URING);
        assertThatThrownBy(() -> form.parse().apply("EPOLL")).hasMessage("auto, epoll, io_uring, nio");
    }

    @Test
    void hasTheDefaultWhereThereAreNoValues() {
        assertThat(Key.DEFAULTS.get(Key.duration("idle", "5m"))).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void copiesARecordWithAnotherValueOfOneComponent() {
        RollConfig copy = Copy.of(RollConfig.DEFAULT, "keep", 7);

        assertThat(copy).isEqualTo(new RollConfig(ByteSize.ofMiB(256), 7, new ByteSize(0), RollConfig.Compress.OFF));
        assertThatThrownBy(() -> Copy.of(RollConfig.DEFAULT, "keep", -1))
                .isInstanceOf(ConfigException.class)
                .hasMessage("keep: -1 (expected: 0 to 3650)");
        assertThatThrownBy(() -> Copy.of(RollConfig.DEFAULT, "kept", 7)).isInstanceOf(IllegalArgumentException.class);
    }
}
