package dev.lychgate.route;

import static dev.lychgate.route.Requests.redirecting;
import static dev.lychgate.route.Requests.rewriting;
import static dev.lychgate.route.Requests.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.RewriteConfig;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.route.Requests.Match;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RouteFaultsTest {
    @ParameterizedTest
    @CsvSource({
        "api, begins with /",
        "'', begins with /",
        "/a//b, normal form /a/b",
        "/a/../b, normal form /b",
        "/%61, normal form /a",
        "/a b, has a normal form",
        "/a?b, has a normal form",
        "/a/*, no *",
        "/a/**/b, no *",
        "/a**, no *",
        "//**, normal form",
        "'/a/{}', fill a segment",
        "'/a/{b', fill a segment",
        "'/a/b}/**', fill a segment",
        "'/a/x{b}', fill a segment",
        "'/a/{b c}', fill a segment",
        "'/{a}/{a}', every variable once",
        "regex:(, RE2 expression",
        "regex:(?=x), RE2 expression"
    })
    void aPathThatCanNotBeReadIsNamed(String path, String expected) {
        assertThat(RouteTable.faults(List.of(route("r", path)))).singleElement().satisfies(fault -> {
            assertThat(fault.key()).isEqualTo("routes[0].match.path");
            assertThat(fault.value()).isEqualTo(path);
            assertThat(fault.expected()).contains(expected);
        });
    }

    @ParameterizedTest
    @CsvSource({"''", "*", "*.", "a.*.b", "example.com:80", "exa mple", "-a", "a..b", "é.example", "http://a"})
    void aHostThatCanNotBeReadIsNamed(String host) {
        assertThat(RouteTable.faults(
                        List.of(Match.any().host("ok.example", host).as("r"))))
                .singleElement()
                .satisfies(fault -> {
                    assertThat(fault.key()).isEqualTo("routes[0].match.host");
                    assertThat(fault.expected()).contains("without port");
                });
    }

    @ParameterizedTest
    @CsvSource({
        "/a/**, '/b/{id}', only variables of the matched path",
        "'/a/{id}', '/b/{other}', only variables of the matched path",
        "'/a/{id}', '/b/{**}', only where the matched path ends",
        "/a, '/b/{**}', only where the matched path ends",
        "regex:/a, '/b/{id}', only variables of the matched path",
        "/a/**, '/b/{**}/c', as the last segment",
        "/a/**, '/b{**}', as the last segment",
        "'/a/{id}', '/b/{id', only variables",
        "'/a/{id}', '/.{id}', no dots alone",
        "'/a/{id}', '/..{id}', no dots alone",
        "/a, /b/../c, normal form /c",
        "/a, /b?c=d, has a normal form",
        "/a, /b/*, no *"
    })
    void aRewriteThatCanNotBeFilledIsNamed(String match, String template, String expected) {
        RouteConfig config = rewriting(match, new RewriteConfig(0, template, null, false));
        assertThat(RouteTable.faults(List.of(config))).singleElement().satisfies(fault -> {
            assertThat(fault.key()).isEqualTo("routes[0].rewrite.path");
            assertThat(fault.value()).isEqualTo(template);
            assertThat(fault.expected()).contains(expected);
        });
    }

    @ParameterizedTest
    @CsvSource({"'https://{host', only", "'/{id}', only", "'{', only"})
    void aRedirectWithUnknownVariablesIsNamed(String location, String ignored) {
        assertThat(RouteTable.faults(List.of(redirecting(location))))
                .extracting(ConfigException::key)
                .containsExactly("routes[0].redirect.location");
    }

    @Test
    void allFaultsOfAllRoutesAreReportedAtOnceInTheOrderOfTheFile() {
        List<RouteConfig> configs = List.of(
                route("good", "/a"),
                Match.of("b")
                        .host("c:1")
                        .header("x-d", "regex:(")
                        .query("e", "regex:[")
                        .as("bad"),
                route("worse", "/{f"));
        List<String> keys = List.of(
                "routes[1].match.host",
                "routes[1].match.path",
                "routes[1].match.headers.x-d",
                "routes[1].match.query.e",
                "routes[2].match.path");
        assertThat(RouteTable.faults(configs)).extracting(ConfigException::key).containsExactlyElementsOf(keys);
        assertThatThrownBy(() -> RouteTable.build(configs))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("routes[1].match.host: c:1 (expected: ")
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(4));
    }

    @Test
    void aRouteThatRepeatsAnotherIsAllowedAndWarnedOf() {
        RouteTable table = RouteTable.build(List.of(
                Match.of("/a/{x}").host("A.example").methods("GET", "POST").as("one"),
                Match.of("/a/{y}").host("a.example.").methods("POST", "GET").as("two"),
                Match.of("/a/{y}").host("b.example").methods("POST", "GET").as("three")));
        assertThat(table.warnings())
                .containsExactly(
                        "routes[1] (two) is never reached: routes[0] (one) matches the same requests and is tried first");
    }

    @Test
    void routesThatShareOrDifferInOneHostAreNotWarnedOf() {
        RouteTable table = RouteTable.build(List.of(
                Match.of("/a").host("a.example").as("one"),
                Match.of("/a").host("a.example", "b.example").as("two"),
                Match.of("/w").weight("g", 1).as("three"),
                Match.of("/w").weight("g", 2).as("four"),
                Match.of("/w").weight("g", 0).as("five")));
        assertThat(table.warnings()).isEmpty();
    }

    @Test
    void aGroupOfOneIsWarnedOf() {
        RouteTable table = RouteTable.build(List.of(
                Match.of("/a").weight("g", 1).as("one"),
                Match.of("/b").weight("h", 0).as("two")));
        assertThat(table.warnings())
                .containsExactly(
                        "routes[0] (one) is alone in its weight group g and takes everything",
                        "routes[1] (two) is alone in its weight group h and takes nothing");
    }
}
