package dev.lychgate.route;

import static dev.lychgate.route.Requests.redirecting;
import static dev.lychgate.route.Requests.rewriting;
import static dev.lychgate.route.Requests.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.lychgate.config.AccessConfig;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.FilterConfig;
import dev.lychgate.config.RewriteConfig;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.route.Requests.Match;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RouteFaultsTest {
    @ParameterizedTest
    @CsvSource({
        "api, begins with /",
        "'', begins with /",
        "/a//b, normal form /a/b",
        "/a/../b, normal form /b",
        "/%61, normal form /a",
        "/a b, can be normalized",
        "/a?b, can be normalized",
        "/a/*, no *",
        "/a/**/b, no *",
        "/a**, no *",
        "//**, normal form",
        "'/a/{}', whole segment",
        "'/a/{b', whole segment",
        "'/a/b}/**', whole segment",
        "'/a/x{b}', whole segment",
        "'/a/{b c}', whole segment",
        "'/{a}/{a}', each variable only once",
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
        "/a/**, '/b/{id}', only variables of match.path",
        "'/a/{id}', '/b/{other}', only variables of match.path",
        "'/a/{id}', '/b/{**}', only if match.path ends",
        "/a, '/b/{**}', only if match.path ends",
        "regex:/a, '/b/{id}', only variables of match.path",
        "/a/**, '/b/{**}/c', as the last segment",
        "/a/**, '/b{**}', as the last segment",
        "'/a/{id}', '/b/{id', only variables",
        "'/a/{id}', '/.{id}', a character other than a dot before",
        "'/a/{id}', '/..{id}', a character other than a dot before",
        "/a, /b/../c, normal form /c",
        "/a, /b?c=d, can be normalized",
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
    void refusesExpressionsThatAreTooLargeTogetherAtTheFirstThatIsOverTheBound() {
        List<RouteConfig> configs = new ArrayList<>();
        for (int i = 0; i < 201; i++) {
            configs.add(route("r" + i, "regex:/" + i + "[a-z]{985}"));
        }
        assertThat(RouteTable.faults(configs.subList(0, 199))).isEmpty();
        assertThat(RouteTable.faults(configs)).first().satisfies(fault -> {
            assertThat(fault.key()).isEqualTo("routes[200].match.path");
            assertThat(fault.expected()).contains("at most 200000 instructions in the expressions of all routes");
        });
    }

    static List<Arguments> hidden() {
        Match any = Match.any();
        return List.of(
                // By order, the only way to precede a narrower route.
                arguments(first(Match.of("/**")), Match.of("/x/**")),
                arguments(first(Match.of("/**")), Match.of("/x")),
                arguments(first(any), Match.of("regex:/x.*")),
                arguments(first(Match.of("/**")), Match.of("regex:/x.*")),
                arguments(first(any), any.methods("GET")),
                arguments(first(Match.of("/a/**")), Match.of("/a")),
                arguments(first(Match.of("/a/**")), Match.of("/a/{b}/c").host("x.example")),
                arguments(
                        first(Match.of("/a/**").host("*.example")),
                        Match.of("/a/b").host("x.y.example")),
                arguments(
                        first(Match.of("/a/**").host("*.example")),
                        Match.of("/a/b").host("*.y.example")),
                arguments(first(Match.of("regex:/a.*")), Match.of("/ab")),
                arguments(
                        first(Match.of("/a").methods("GET", "POST")),
                        Match.of("/a").methods("HEAD")),
                arguments(
                        first(Match.of("/a").clients("10.0.0.0/8")),
                        Match.of("/a").clients("10.1.0.0/16", "10.2.0.1")),
                arguments(
                        first(Match.of("/a").header("X-A", "*")),
                        Match.of("/a").header("x-a", "1").query("b", "2")),
                arguments(
                        first(Match.of("/a").header("x-a", "regex:[0-9]+")),
                        Match.of("/a").header("x-a", "17")),
                arguments(
                        first(Match.of("/a").query("q", "regex:a|b")),
                        Match.of("/a").query("q", "regex:a|b")),
                // By the file, if the order is equal.
                arguments(Match.of("/a/**").as("wide"), Match.of("/a/{b}")),
                arguments(Match.of("/{a}/b").as("wide"), Match.of("/{x}/b")),
                arguments(
                        Match.of("/a").header("x-a", "*").as("wide"),
                        Match.of("/a").header("x-a", "1")));
    }

    @ParameterizedTest
    @MethodSource("hidden")
    void warnsOfARouteWhoseRequestsAnEarlierRouteMatches(RouteConfig wide, Match narrow) {
        RouteTable table = RouteTable.build(List.of(wide, narrow.as("narrow")));
        assertThat(table.warnings())
                .singleElement(STRING)
                .startsWith("routes[1] (narrow) is never reached: routes[0] (wide) matches ");
    }

    static List<Arguments> reached() {
        return List.of(
                arguments(Match.of("/**").as("wide"), Match.of("/x/**")),
                arguments(first(Match.of("/**")), Match.any()),
                arguments(first(Match.of("/**")), Match.of("regex:/a|b")),
                arguments(first(Match.of("/**")), Match.of("regex:/?")),
                arguments(first(Match.of("/x/**")), Match.of("regex:/x/.*")),
                arguments(first(Match.of("/a/{b}")), Match.of("/a/**")),
                arguments(first(Match.of("/a/{b}/**")), Match.of("/a/**")),
                arguments(first(Match.of("/a/{b}/**")), Match.of("/a/")),
                arguments(first(Match.of("/ab/**")), Match.of("/abc")),
                arguments(
                        first(Match.of("/a/**").host("*.example")),
                        Match.of("/a/**").host("example")),
                arguments(
                        first(Match.of("/a/**").host("x.example")),
                        Match.of("/a/**").host("*.example")),
                arguments(first(Match.of("/a").methods("HEAD")), Match.of("/a").methods("GET")),
                arguments(first(Match.of("/a").methods("GET")), Match.of("/a")),
                arguments(
                        first(Match.of("/a").clients("10.0.0.0/8")),
                        Match.of("/a").clients("10.0.0.0/7")),
                arguments(
                        first(Match.of("/a").clients("10.0.0.0/8")),
                        Match.of("/a").clients("::/0")),
                arguments(
                        first(Match.of("/a").header("x-a", "1")), Match.of("/a").header("x-a", "*")),
                arguments(
                        first(Match.of("/a").header("x-a", "1")), Match.of("/a").query("x-a", "1")),
                arguments(first(Match.of("regex:/a.*")), Match.of("/a/**")));
    }

    @ParameterizedTest
    @MethodSource("reached")
    void doesNotWarnOfARouteThatSomeRequestReaches(RouteConfig wide, Match narrow) {
        assertThat(RouteTable.build(List.of(wide, narrow.as("narrow"))).warnings())
                .isEmpty();
    }

    private static RouteConfig first(Match match) {
        return Requests.ordered(-1, match.as("wide"));
    }

    @Test
    void warnsOfARouteOnlyIfEachOfItsHostsIsHidden() {
        RouteConfig wide = first(Match.of("/**").host("*.a.example"));
        RouteTable table = RouteTable.build(List.of(
                wide,
                Match.of("/x").host("1.a.example", "2.a.example").as("hidden"),
                Match.of("/y").host("1.a.example", "b.example").as("reached")));
        assertThat(table.warnings()).singleElement(STRING).contains("(hidden) is never reached");
    }

    @Test
    void warnsOfAGuardThatIsFollowedByAWiderRouteToAnUpstream() {
        RouteTable table = RouteTable.build(List.of(
                Match.of("/admin/**").answering("admin", 403),
                Match.of("/private/**").clients("10.0.0.0/8").as("private"),
                Match.of("/private/**").answering("nobody-else", 404),
                Match.of("/gone").answering("gone", 200),
                Requests.ordered(-1, Match.of("regex:/old/.*").answering("old", 410)),
                Match.of("/**").as("all")));
        assertThat(table.guardWarnings())
                .hasSize(3)
                .anySatisfy(line -> assertThat(line)
                        .startsWith("routes[0] (admin) guards /admin/**, but routes[5] (all) forwards paths that"))
                .anySatisfy(line -> assertThat(line).startsWith("routes[2] (nobody-else) guards /private/**"))
                .anySatisfy(line -> assertThat(line).startsWith("routes[4] (old) guards regex:/old/.*, but"));
        AccessConfig rule = new AccessConfig(null, List.of(FilterConfig.of("cel")));
        assertThat(RouteTable.build(List.of(
                                Match.of("/ruled/**").as("ruled").withAccess(rule),
                                Match.of("/**").as("all")))
                        .guardWarnings())
                .singleElement(STRING)
                .startsWith("routes[0] (ruled) guards /ruled/**, but routes[1] (all) forwards paths that");
        assertThat(RouteTable.build(List.of(Match.of("/admin/**").answering("admin", 403), route("b", "/b")))
                        .guardWarnings())
                .isEmpty();
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
                        "routes[0] (one) is the only route in weight group g and receives all requests",
                        "routes[1] (two) is the only route in weight group h and receives no requests");
    }
}
