package dev.lychgate.exchange.filtering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReadOnlyMapTest {
    private final Map<String, String> map = new ReadOnlyMap<>(new LinkedHashMap<>(Map.of("a", "1")), "setCookie");

    @Test
    void hasTheEntriesOfTheCopy() {
        assertThat(map).containsExactly(Map.entry("a", "1")).containsKey("a").doesNotContainKey("b");
        assertThat(map.get("a")).isEqualTo("1");
    }

    static Stream<Consumer<Map<String, String>>> changes() {
        return Stream.of(
                map -> map.put("a", "2"),
                map -> map.putAll(Map.of("b", "2")),
                map -> map.putIfAbsent("b", "2"),
                map -> map.remove("a"),
                Map::clear);
    }

    @ParameterizedTest
    @MethodSource("changes")
    void refusesAChangeWithTheMethodThatChangesTheRequest(Consumer<Map<String, String>> change) {
        assertThatThrownBy(() -> change.accept(map))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage("this map is a read-only copy; to change the request, use setCookie");
        assertThat(map).containsExactly(Map.entry("a", "1"));
    }
}
