package dev.lychgate.filters.builtin;

import static dev.lychgate.filters.builtin.Filtered.global;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.ConfigException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The filters that change headers, and the settings that they refuse. */
class HeaderFiltersTest {
    private static final String THREE = "X-A: 1\r\nx-a: 2\r\nX-B: 3\r\n";

    @Test
    void setsAFieldInPlaceOfAllOfThatName() throws Exception {
        FilterSet filters = global("set-request-header", Map.of("name", "X-A", "value", "gold"))
                .with(global("set-response-header", Map.of("name", "X-A", "value", "silver")));
        try (Filtered way = Filtered.answering(THREE, filters)) {
            assertThat(way.send("GET /", THREE).values("x-a")).containsExactly("silver");
            assertThat(way.received().values("x-a")).containsExactly("gold");
            assertThat(way.received().values("x-b")).containsExactly("3");
        }
    }

    @Test
    void addsAFieldAfterThoseOfThatName() throws Exception {
        FilterSet filters = global("add-request-header", Map.of("name", "X-A", "value", "gold"))
                .with(global("add-response-header", Map.of("name", "X-A", "value", "silver")));
        try (Filtered way = Filtered.answering(THREE, filters)) {
            assertThat(way.send("GET /", THREE).values("x-a")).containsExactly("1", "2", "silver");
            assertThat(way.received().values("x-a")).containsExactly("1", "2", "gold");
        }
    }

    @Test
    void addingASingletonFieldReplacesTheExistingOne() throws Exception {
        FilterSet filters = global("add-request-header", Map.of("name", "Content-Type", "value", "text/html"))
                .with(global("add-response-header", Map.of("name", "Content-Type", "value", "text/csv")));
        String plain = "content-type: text/plain\r\n";
        try (Filtered way = Filtered.answering(plain, filters)) {
            assertThat(way.send("GET /", plain).values("content-type")).containsExactly("text/csv");
            assertThat(way.received().values("content-type")).containsExactly("text/html");
        }
    }

    @Test
    void removesAllFieldsOfAName() throws Exception {
        FilterSet filters = global("remove-request-header", Map.of("name", "X-a"))
                .with(global("remove-response-header", Map.of("name", "X-a")));
        try (Filtered way = Filtered.answering(THREE, filters)) {
            assertThat(way.send("GET /", THREE).values("x-a")).isEmpty();
            assertThat(way.received().values("x-a")).isEmpty();
            assertThat(way.received().values("x-b")).containsExactly("3");
        }
    }

    @Test
    void renamesFieldsAndReplacesThoseWithTheNewName() throws Exception {
        FilterSet filters = global("rename-request-header", Map.of("name", "x-a", "to", "X-B"))
                .with(global("rename-response-header", Map.of("name", "x-missing", "to", "X-B")));
        try (Filtered way = Filtered.answering(THREE, filters)) {
            assertThat(way.send("GET /", THREE).values("x-b"))
                    .as("there was nothing to rename")
                    .containsExactly("3");
            assertThat(way.received().values("x-a")).isEmpty();
            assertThat(way.received().values("x-b")).containsExactly("1", "2");
        }
    }

    @Test
    void changesErrorResponsesOfTheGatewayToo() throws Exception {
        try (Filtered way = Filtered.by(global("set-response-header", Map.of("name", "X-A", "value", "1")))) {
            assertThat(way.client()
                            .send("GET / HTTP/1.1\r\nHost: a b\r\n\r\n")
                            .readResponse()
                            .values("x-a"))
                    .containsExactly("1");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a:b", "a\r\nb", "\u00e4"})
    void refusesMalformedFieldNames(String name) {
        assertThatThrownBy(() -> global("remove-request-header", Map.of("name", name)))
                .isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> global("rename-request-header", Map.of("name", "x-a", "to", name)))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("to: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length", "transfer-encoding", "Connection", "Host", "Upgrade"})
    void refusesFieldsThatTheGatewaySets(String name) {
        assertThatThrownBy(() -> global("set-response-header", Map.of("name", name, "value", "v")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("a field that does not concern framing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\r\nset-cookie: x=1", "a\nb", "a\u0000b", "\u010a"})
    void refusesValuesWithLineBreaks(String value) {
        assertThatThrownBy(() -> global("set-response-header", Map.of("name", "x-a", "value", value)))
                .isInstanceOf(ConfigException.class);
    }
}
