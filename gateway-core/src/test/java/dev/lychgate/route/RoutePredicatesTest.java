package dev.lychgate.route;

import static dev.lychgate.route.Requests.get;
import static dev.lychgate.route.Requests.ingress;
import static dev.lychgate.route.Requests.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.MatchConfig.Scheme;
import dev.lychgate.http.RequestHead;
import dev.lychgate.route.Requests.Match;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Predicates on cookies, scheme and listener, and groups of predicates that are negated or alternatives. */
class RoutePredicatesTest {
    private static final Ingress PLAIN = ingress("192.0.2.7");
    private static final Ingress SECURE = ingress("192.0.2.7", "main", true);

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            yes         | beta=yes                | true
            yes         | a=1; beta=yes; b=2      | true
            yes         | beta=no; beta=yes       | true
            yes         | beta=YES                | false
            yes         | Beta=yes                | false
            yes         | xbeta=yes               | false
            yes         | a="beta=yes"            | false
            *           | beta=                   | true
            *           | alpha=1                 | false
            regex:v[12] | beta=v2                 | true
            regex:v[12] | beta=v3                 | false
            """)
    void matchesCookiesByNameAndValue(String value, String cookies, boolean matches) {
        RequestHead head = request("GET", "/x", "cookie", cookies);
        assertThat(matches(Match.any().cookie("beta", value), head, PLAIN)).isEqualTo(matches);
    }

    @Test
    void matchesACookieInASecondCookieField() {
        RequestHead head = request("GET", "/x", "cookie", "a=1", "cookie", "beta=yes");
        assertThat(matches(Match.any().cookie("beta", "yes"), head, PLAIN)).isTrue();
        assertThat(matches(Match.any().cookie("beta", "yes"), get("/x"), PLAIN)).isFalse();
    }

    @Test
    void matchesTheSchemeOfTheClient() {
        assertThat(matches(Match.any().scheme(Scheme.HTTPS), get("/x"), SECURE)).isTrue();
        assertThat(matches(Match.any().scheme(Scheme.HTTPS), get("/x"), PLAIN)).isFalse();
        assertThat(matches(Match.any().scheme(Scheme.HTTP), get("/x"), PLAIN)).isTrue();
        assertThat(matches(Match.any().scheme(Scheme.HTTP), get("/x"), SECURE)).isFalse();
    }

    @Test
    void matchesTheListenerThatAcceptedTheRequest() {
        Match inside = Match.any().listeners("inside", "admin");
        assertThat(matches(inside, get("/x"), ingress("192.0.2.7", "inside", false)))
                .isTrue();
        assertThat(matches(inside, get("/x"), PLAIN)).isFalse();
    }

    @Test
    void doesNotMatchIfOneNegatedGroupHolds() {
        Match match = Match.of("/**")
                .not(Match.of("/private/**").methods("GET"), Match.any().host("old.example"));

        assertThat(matches(match, get("/public"), PLAIN)).isTrue();
        assertThat(matches(match, request("POST", "/private/a"), PLAIN)).isTrue();
        assertThat(matches(match, get("/private/a"), PLAIN)).isFalse();
        assertThat(matches(match, get("old.example/public"), PLAIN)).isFalse();
    }

    @Test
    void matchesIfOneAlternativeHolds() {
        Match match = Match.any()
                .anyOf(Match.any().header("x-canary", "yes"), Match.any().clients("10.0.0.0/8"));

        assertThat(matches(match, request("GET", "/x", "x-canary", "yes"), PLAIN))
                .isTrue();
        assertThat(matches(match, get("/x"), ingress("10.1.2.3"))).isTrue();
        assertThat(matches(match, get("/x"), PLAIN)).isFalse();
    }

    @Test
    void namesTheFailedPredicateInTheWordsOfTheConfiguration() {
        Match match = Match.any().not(Match.any().cookie("beta", "yes").scheme(Scheme.HTTP));
        RouteTable table = RouteTable.build(List.of(match.as("r")));

        assertThat(table.explain(request("GET", "/x", "cookie", "beta=yes"), PLAIN)
                        .routes())
                .singleElement()
                .extracting(RouteExplanation.Considered::detail)
                .isEqualTo("not: (cookies.beta: yes; scheme: http)");
    }

    @Test
    void namesTheKeyOfAMalformedValueInAGroup() {
        Match match = Match.any().anyOf(Match.of("/a"), Match.any().cookie("c", "regex:["));

        assertThatThrownBy(() -> RouteTable.build(List.of(match.as("r"))))
                .isInstanceOf(ConfigException.class)
                .extracting(fault -> ((ConfigException) fault).key())
                .isEqualTo("routes[0].match.any[1].cookies.c");
    }

    @Test
    void rejectsAGroupWithoutPredicates() {
        Match match = Match.any().not(Match.of("/a"), Match.any());

        assertThatThrownBy(() -> RouteTable.build(List.of(match.as("r"))))
                .isInstanceOf(ConfigException.class)
                .hasMessage("routes[0].match.not[1]: no predicate (expected: at least one predicate)");
    }

    @Test
    void warnsOfARouteBehindOneWithTheSameOrFewerPredicates() {
        for (Match match : List.of(
                Match.of("/a").cookie("c", "1"),
                Match.of("/a").scheme(Scheme.HTTPS),
                Match.of("/a").listeners("main"),
                Match.of("/a").not(Match.any().header("h", "1")),
                Match.of("/a").anyOf(Match.any().header("h", "1")))) {
            RouteTable table = RouteTable.build(List.of(match.as("first"), match.as("second")));
            assertThat(table.warnings())
                    .containsExactly(
                            "routes[1] (second) is never reached: routes[0] (first) matches the same requests and is tried first");
        }
        RouteTable apart = RouteTable.build(List.of(
                Match.of("/a").listeners("main").as("first"),
                Match.of("/a").listeners("main", "inside").as("second")));
        assertThat(apart.warnings()).isEmpty();
    }

    @Test
    void guardsAPathByClientsInAGroup() {
        RouteTable table = RouteTable.build(List.of(
                Match.of("/users/**")
                        .anyOf(Match.any().clients("10.0.0.0/8"), Match.any().header("x-key", "secret"))
                        .as("guarded"),
                Match.of("/{tenant}/users/**").as("open")));

        assertThat(table.isEvasion(get("/;x/users/1"), PLAIN)).isTrue();
        assertThat(table.isEvasion(get("/t/users/1"), PLAIN)).isFalse();
    }

    private static boolean matches(Match match, RequestHead head, Ingress ingress) {
        return RouteTable.build(List.of(match.as("r"))).match(head, ingress) != null;
    }
}
