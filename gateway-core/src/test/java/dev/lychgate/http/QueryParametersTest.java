package dev.lychgate.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueryParametersTest {
    @Test
    void mapsEachNameToItsValuesInOrder() {
        assertThat(QueryParameters.all("b=1&a=%C3%A9&b=2&c&&d=&=x&e=1+1&f=%2B&g+h=1%2"))
                .containsExactly(
                        Map.entry("b", List.of("1", "2")),
                        Map.entry("a", List.of("é")),
                        Map.entry("c", List.of("")),
                        Map.entry("d", List.of("")),
                        Map.entry("", List.of("x")),
                        Map.entry("e", List.of("1 1")),
                        Map.entry("f", List.of("+")),
                        Map.entry("g h", List.of("1%2")));
        assertThat(QueryParameters.all(null)).isEmpty();
        assertThat(QueryParameters.all("")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "-, b=x%20y",
                "'', b=x%20y",
                "a=%2f&c=+, a=%2f&c=+&b=x%20y",
                "a=1&b=2&c=3, a=1&b=x%20y&c=3",
                "b=1&a=2&%62=3, b=x%20y&a=2",
            })
    void setsOneParameterAndLeavesTheBytesOfOthers(String query, String expected) {
        assertThat(QueryParameters.with(query, "b", List.of("x y"))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {"-, -", "'', ''", "a=1, a=1", "b=1, -", "b&a=1&b=2, a=1", "ab=1&b=2, ab=1"})
    void removesOneParameter(String query, String expected) {
        assertThat(QueryParameters.with(query, "b", List.of())).isEqualTo(expected);
    }

    @Test
    void encodesNamesAndValues() {
        assertThat(QueryParameters.with("a", "k&=", List.of("1&2", "ü+%")))
                .isEqualTo("a&k%26%3D=1%262&k%26%3D=%C3%BC%2B%25");
    }
}
