package dev.lychgate.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlainValuesTest {
    private static final Key<String> SECRET = Key.typed("secret", Form.SECRET, null);
    private static final Key<String> FILE = Key.file("file");
    private static final Key<Duration> TIME = Key.duration("time", "1s");
    private static final Key<Percent> SHARE = Key.percent("share", "5%");
    private static final Key<List<Cidr>> BLOCKS = Key.list("blocks", Form.ADDRESS_BLOCK);
    private static final Key<Map<String, String>> TEXTS = Key.texts("texts", "name");
    private static final Key<String> NEEDED = Key.text("needed").required("a text");
    private static final Map<Key<?>, Object> GIVEN = Map.of(
            SECRET, "0123456789abcdef",
            FILE, "/a/b",
            TIME, Duration.ofMinutes(2),
            SHARE, Percent.parse("7%"),
            BLOCKS, List.of(Cidr.parse("10.0.0.0/8")),
            TEXTS, Map.of("a", "b"));

    private static final Key.Values FROM = new Key.Values() {
        @Override
        @SuppressWarnings("unchecked")
        public <T> T get(Key<T> key) {
            Object value = GIVEN.get(key);
            return value == null ? key.otherwise() : (T) value;
        }

        @Override
        public boolean has(String key) {
            return GIVEN.keySet().stream().anyMatch(each -> each.name().equals(key));
        }
    };

    @Test
    void valuesAreReadByTheKeysThatRecordedThem() {
        Map<String, Object> plain = new LinkedHashMap<>();
        Key.Values recording = PlainValues.recording(FROM, plain);
        GIVEN.keySet().forEach(recording::get);
        recording.get(NEEDED);

        assertThat(plain)
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "secret", new Secret("0123456789abcdef"),
                        "file", Path.of("/a/b"),
                        "time", Duration.ofMinutes(2),
                        "share", "7%",
                        "blocks", List.of("10.0.0.0/8"),
                        "texts", Map.of("a", "b")));
        Key.Values again = PlainValues.of(plain);
        GIVEN.forEach((key, value) -> assertThat((Object) again.get(key)).isEqualTo(value));
        assertThat(plain.toString()).doesNotContain("0123456789abcdef");
        assertThat(PlainValues.written(plain)).containsEntry("time", "2m");
        assertThat(PlainValues.written(Map.of("a", List.of(Map.of("b", Duration.ofMinutes(2))))))
                .isEqualTo(Map.of("a", List.of(Map.of("b", "2m"))));
    }

    @Test
    void valuesHaveDefaultsExceptForRequiredKeys() {
        Key.Values none = PlainValues.of(Map.of());
        assertThat(none.get(TIME)).isEqualTo(Duration.ofSeconds(1));
        assertThatThrownBy(() -> none.get(NEEDED)).hasMessage("needed: missing (expected: a text)");
    }

    @Test
    void valuesContainNoSections() {
        Key<Integer> inner = Key.section("inner", 1, values -> 2);
        Key.Values all = new Key.Values() {
            @Override
            public <T> T get(Key<T> key) {
                return key.otherwise();
            }

            @Override
            public boolean has(String key) {
                return true;
            }
        };
        assertThatThrownBy(
                        () -> PlainValues.recording(all, new LinkedHashMap<>()).get(inner))
                .hasMessage("a key of the form SECTION in a section of plain values");
    }
}
