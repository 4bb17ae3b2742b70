package dev.lychgate.filters.builtin;

import static dev.lychgate.filters.builtin.Filtered.global;
import static dev.lychgate.filters.builtin.Filtered.onRoute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.ConfigException;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The filters that change the target of a request. */
@Tag("slow")
class PathAndQueryFiltersTest {
    @ParameterizedTest
    @CsvSource({
        "/old, /new, /old, /new",
        "/old, /new, /old/a?x=1, /new/a?x=1",
        "/old, /new, /older/a, /older/a",
        "/old/, /new/, /old/a, /new/a",
        "/old, /, /old/a, /a",
        "/old, '', /old, /",
        "/old, '', /old/a, /a",
    })
    void replacesLeadingSegments(String prefix, String replacement, String target, String expected) throws Exception {
        Map<String, Object> settings = Map.of("prefix", prefix, "replacement", replacement);
        try (Filtered way = Filtered.by(onRoute("rewrite-path", settings))) {
            assertThat(way.get(target).status()).isEqualTo(200);
            assertThat(way.received().target()).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "^/v(\\d+)/(.*)$, /$2/v$1, /v2/things, /things/v2",
        "(?P<first>[a-z]+)$, ${first}.html, /a/index, /a/index.html",
        "b, c, /abba, /acca",
        "^/x, /y, /a, /a",
        "^/price, /\\$5, /price, /$5",
    })
    void replacesMatchesOfAPattern(String regex, String replacement, String target, String expected) throws Exception {
        Map<String, Object> settings = Map.of("regex", regex, "replacement", replacement);
        try (Filtered way = Filtered.by(global("rewrite-path", settings))) {
            assertThat(way.get(target).status()).isEqualTo(200);
            assertThat(way.received().target()).isEqualTo(expected);
        }
    }

    @Test
    void respondsWith400IfTheResultIsNotAPath() throws Exception {
        try (Filtered way = Filtered.by(global("rewrite-path", Map.of("regex", "^/", "replacement", "")))) {
            assertThat(way.get("/a").status()).isEqualTo(400);
            assertThat(way.get("/a").body()).contains("bad-path");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'(', x, regex",
        "a, $1, replacement",
        "a, ${b}, replacement",
        "a, x$, replacement",
        "a, x\\, replacement"
    })
    void refusesMalformedPatternsAndReferences(String regex, String replacement, String key) {
        assertThatThrownBy(() -> global("rewrite-path", Map.of("regex", regex, "replacement", replacement)))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(key + ": ");
    }

    @Test
    void refusesBothOrNeitherOfPatternAndPrefix() {
        assertThatThrownBy(() -> global("rewrite-path", Map.of("replacement", "/a")))
                .hasMessageContaining("exactly one of regex and prefix");
        assertThatThrownBy(() -> global("rewrite-path", Map.of("regex", "a", "prefix", "/a", "replacement", "/a")))
                .hasMessageContaining("exactly one of regex and prefix");
    }

    @Test
    void setsThePathAndKeepsTheQueryAndLeavesOptionsOfTheServerAlone() throws Exception {
        try (Filtered way = Filtered.by(onRoute("set-path", Map.of("path", "/fixed")))) {
            way.get("/any/thing?x=1");
            assertThat(way.received().target()).isEqualTo("/fixed?x=1");
            way.send("OPTIONS *", "");
            assertThat(way.received().target()).isEqualTo("*");
        }
        assertThatThrownBy(() -> global("set-path", Map.of("path", "relative"))).isInstanceOf(ConfigException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "/, /?tier=gold%20%26%20more",
        "/?a=1, /?a=1&tier=gold%20%26%20more",
        "/?tier=1&a=%41&tier=2, /?tier=gold%20%26%20more&a=%41",
        "/?t%69er&a, /?tier=gold%20%26%20more&a",
    })
    void setsAParameterAndLeavesTheBytesOfOthersAsTheyAre(String target, String expected) throws Exception {
        Map<String, Object> settings = Map.of("name", "tier", "value", "gold & more");
        try (Filtered way = Filtered.by(global("set-query-parameter", settings))) {
            way.get(target);
            assertThat(way.received().target()).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @CsvSource({"/?a=1&b=%20&a=2, /?b=%20", "/?a=1, /", "/?%61, /", "/?b, /?b", "/, /"})
    void removesAParameter(String target, String expected) throws Exception {
        try (Filtered way = Filtered.by(onRoute("remove-query-parameter", Map.of("name", "a")))) {
            way.get(target);
            assertThat(way.received().target()).isEqualTo(expected);
        }
    }
}
