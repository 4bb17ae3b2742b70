package dev.lychgate.route;

import static dev.lychgate.route.Requests.CLIENT;
import static dev.lychgate.route.Requests.get;
import static dev.lychgate.route.Requests.ingress;
import static dev.lychgate.route.Requests.ordered;
import static dev.lychgate.route.Requests.request;
import static dev.lychgate.route.Requests.route;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.RewriteConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.RouteTimeouts;
import dev.lychgate.http.RequestHead;
import dev.lychgate.route.Requests.Match;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RouteTableTest {
    @Test
    void anEmptyTableMatchesNothing() {
        assertThat(RouteTable.build(List.of()).match(get("a.example/x"), CLIENT))
                .isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "/api, /api, yes",
        "/api, /api/, no",
        "/, /, yes",
        "/, /x, no",
        "/api/**, /api, yes",
        "/api/**, /api/, yes",
        "/api/**, /api/x/y, yes",
        "/api/**, /apix, no",
        "/api/**, /ap, no",
        "/**, /, yes",
        "/**, /x/y, yes",
        "/x/{id}, /x/5, yes",
        "/x/{id}, /x/, no",
        "/x/{id}, /x, no",
        "/x/{id}, /x/5/, no",
        "/x/{id}, /x/5/6, no",
        "/x/{id}/, /x/5/, yes",
        "/x/{id}/, /x/5, no",
        "/x/{id}/y, /x/5/y, yes",
        "/x/{id}/y, /x//y, no",
        "/x/{id}/**, /x/5, yes",
        "/x/{id}/**, /x/5/, yes",
        "/x/{id}/**, /x/5/6/7, yes",
        "/x/{id}/**, /x/, no",
        "/{a}/{b}, /1/2, yes",
        "/{a}/{b}, /1, no",
        "'regex:/v[0-9]+/.*', /v12/x, yes",
        "'regex:/v[0-9]+/.*', /a/v12/x, no",
        "regex:/a, /ab, no"
    })
    void aPathMatchesAsAWhole(String pattern, String path, String matches) {
        RouteTable table = RouteTable.build(List.of(route("r", pattern)));
        assertThat(table.match(get(path), CLIENT) != null).isEqualTo(matches.equals("yes"));
        assertThat(table.routes().get(0).matches(get(path), CLIENT)).isEqualTo(matches.equals("yes"));
    }

    @ParameterizedTest
    @CsvSource({
        "example.com, example.com, yes",
        "example.com, EXAMPLE.com:8080, yes",
        "example.com, example.com., yes",
        "example.com, example.com.:80, yes",
        "Example.COM, example.com, yes",
        "example.com, www.example.com, no",
        "example.com, '', no",
        "*.example.com, www.example.com, yes",
        "*.example.com, a.b.Example.com:1, yes",
        "*.example.com, example.com, no",
        "*.example.com, .example.com, no",
        "*.example.com, badexample.com, no",
        "'[::1]', '[::1]:8080', yes",
        "127.0.0.1, 127.0.0.1:80, yes"
    })
    void aHostMatchesWithoutRegardToCasePortAndTrailingDot(String pattern, String host, String matches) {
        RouteTable table = RouteTable.build(List.of(Match.any().host(pattern).as("r")));
        RequestHead head = get(host + "/x");
        assertThat(table.match(head, CLIENT) != null).isEqualTo(matches.equals("yes"));
        assertThat(table.routes().get(0).matches(head, CLIENT)).isEqualTo(matches.equals("yes"));
    }

    @Test
    void aHostLongerThanAnyNameMeetsOnlyRoutesWithoutHost() {
        RouteTable table = RouteTable.build(List.of(
                Match.any().host("*.example.com").as("below"), Match.any().as("any")));
        assertThat(matched(table, get("a.".repeat(30_000) + "example.com/x"))).isEqualTo("any");
    }

    @Test
    void onlyRoutesWithoutAPathMatchTheAsteriskForm() {
        RouteTable table = RouteTable.build(List.of(route("all", "/**"), route("any", MatchConfig.ANY)));
        RequestHead options =
                new RequestHead(HttpMethod.OPTIONS, false, "*", null, "a.example", new DefaultHttpHeaders());
        assertThat(matched(table, options)).isEqualTo("any");
    }

    @Test
    void aRouteForGetServesHeadAndNoOtherMethod() {
        RouteTable table =
                RouteTable.build(List.of(Match.of("/x").methods("GET").as("r")));
        assertThat(matched(table, request("GET", "/x"))).isEqualTo("r");
        assertThat(matched(table, request("HEAD", "/x"))).isEqualTo("r");
        assertThat(matched(table, request("POST", "/x"))).isEqualTo("none");
    }

    @ParameterizedTest
    @CsvSource({
        "yes, yes, yes",
        "yes, Yes, no",
        "yes, yes!, no",
        "*, anything, yes",
        "*, '', yes",
        "regex:v[12], v2, yes",
        "regex:v[12], v22, no"
    })
    void aHeaderMatchesByNameWithoutAndByValueWithRegardToCase(String pattern, String value, String matches) {
        RouteTable table = RouteTable.build(
                List.of(Match.of("/x").header("X-Beta", pattern).as("r")));
        assertThat(matched(table, request("GET", "/x", "x-other", "yes", "x-BETA", "no", "x-beta", value)))
                .isEqualTo(matches.equals("yes") || pattern.equals("*") ? "r" : "none");
        assertThat(matched(table, get("/x"))).isEqualTo("none");
    }

    @ParameterizedTest
    @CsvSource({
        "q, a b, q=a%20b, yes",
        "q, a b, q=a+b, yes",
        "q, a+b, q=a+b, no",
        "q, a+b, q=a%2Bb, yes",
        "q, é, q=%c3%a9, yes",
        "q, 1, p=1&q=2&q=1, yes",
        "q, 1, q=11, no",
        "q, 1, xq=1, no",
        "q, '', q, yes",
        "q, '', q=, yes",
        "q, '', p=q, no",
        "q, *, p&q, yes",
        "q, 'a=b', 'q=a=b', yes",
        "a b, 1, a%20b=1, yes",
        "q, 100%, q=100%, yes",
        "q, %2, q=%2, yes",
        "q, regex:[0-9]+, q=%34%32, yes",
        "q, regex:[0-9]+, q=4a, no"
    })
    void aQueryParameterMatchesAfterDecoding(String name, String pattern, String query, String matches) {
        RouteTable table =
                RouteTable.build(List.of(Match.of("/x").query(name, pattern).as("r")));
        assertThat(matched(table, get("/x?" + query))).isEqualTo(matches.equals("yes") ? "r" : "none");
        assertThat(matched(table, get("/x"))).isEqualTo("none");
    }

    @Test
    void aClientMatchesByItsAddress() {
        RouteTable table = RouteTable.build(
                List.of(Match.of("/x").clients("10.0.0.0/8", "2001:db8::/32").as("r")));
        assertThat(table.match(get("/x"), ingress("10.1.2.3"))).isNotNull();
        assertThat(table.match(get("/x"), ingress("2001:db8::1"))).isNotNull();
        assertThat(table.match(get("/x"), ingress("11.1.2.3"))).isNull();
    }

    @Test
    void theExplicitOrderComesBeforeEverything() {
        RouteTable table = RouteTable.build(
                List.of(Match.of("/x").host("a.example").as("exact"), ordered(-1, route("first", "/**"))));
        assertThat(matched(table, get("a.example/x"))).isEqualTo("first");
    }

    @Test
    void theHostComesBeforeThePath() {
        RouteTable table = RouteTable.build(List.of(
                Match.of("/x/y").as("none"),
                Match.of("/x/**").host("*.example").as("short"),
                Match.of("/**").host("*.b.example").as("long"),
                Match.any().host("a.b.example").as("exact")));
        assertThat(matched(table, get("a.b.example/x/y"))).isEqualTo("exact");
        assertThat(matched(table, get("c.b.example/x/y"))).isEqualTo("long");
        assertThat(matched(table, get("c.example/x/y"))).isEqualTo("short");
        assertThat(matched(table, get("c.other/x/y"))).isEqualTo("none");
    }

    @Test
    void withoutAMatchingPathTheNextHostIsTried() {
        RouteTable table = RouteTable.build(List.of(
                Match.of("/x").host("a.b.example").as("exact"),
                Match.of("/y").host("*.example").as("below")));
        assertThat(matched(table, get("a.b.example/y"))).isEqualTo("below");
    }

    @Test
    void thePathComesExactThenByLiteralSegmentsThenRegexThenNone() {
        RouteTable table = RouteTable.build(List.of(
                Match.any().as("none"),
                route("regex", "regex:/.*"),
                route("all", "/**"),
                route("one", "/a/**"),
                route("two", "/a/{x}/c"),
                route("exact", "/a/b/c")));
        assertThat(matched(table, get("/a/b/c"))).isEqualTo("exact");
        assertThat(matched(table, get("/a/z/c"))).isEqualTo("two");
        assertThat(matched(table, get("/a/z"))).isEqualTo("one");
        assertThat(matched(table, get("/z"))).isEqualTo("all");

        RouteTable last = RouteTable.build(List.of(Match.any().as("none"), route("regex", "regex:/a.*")));
        assertThat(matched(last, get("/ab"))).isEqualTo("regex");
        assertThat(matched(last, get("/b"))).isEqualTo("none");
    }

    @Test
    void morePredicatesComeFirstThenThePosition() {
        RouteTable table = RouteTable.build(List.of(
                Match.of("/x").as("first"),
                Match.of("/x").as("second"),
                Match.of("/x").methods("GET").header("a", "1").as("both"),
                Match.of("/x").methods("GET").as("get")));
        assertThat(matched(table, get("/x"))).isEqualTo("get");
        assertThat(matched(table, request("GET", "/x", "a", "1"))).isEqualTo("both");
        assertThat(matched(table, request("POST", "/x"))).isEqualTo("first");
    }

    @Test
    void routesOfAGroupShareTheTrafficByWeight() {
        RouteTable table = RouteTable.build(List.of(
                Match.of("/x").weight("g", 3).as("a"),
                Match.of("/x").weight("g", 1).as("b"),
                Match.of("/x").weight("g", 0).as("out"),
                Match.of("/x").methods("POST").weight("g", 1_000_000).as("post")));
        Map<String, Integer> counts = draws(table, get("/x"), 40_000);
        assertThat(counts.keySet()).containsExactlyInAnyOrder("a", "b");
        assertThat(counts.get("a")).isBetween(29_000, 31_000);
    }

    @Test
    void aGroupHasThePlaceOfItsFirstMatchingRoute() {
        RouteTable table = RouteTable.build(List.of(
                Match.of("/x").weight("g", 1).as("exact"),
                Match.of("/**").weight("g", 1).as("prefix"),
                Match.of("/{v}").methods("GET").as("between"),
                Match.of("/y").as("other")));
        assertThat(draws(table, get("/x"), 1000).keySet()).containsExactlyInAnyOrder("exact", "prefix");
        assertThat(draws(table, get("/z"), 1000).keySet()).containsExactly("between");
        assertThat(draws(table, get("/y"), 1000).keySet()).containsExactly("other");
        assertThat(draws(table, get("/z/z"), 1000).keySet()).containsExactly("prefix");
    }

    @Test
    void aShareOfZeroTakesARouteOutOfService() {
        RouteTable table = RouteTable.build(
                List.of(Match.of("/x").weight("g", 0).as("out"), Match.of("/**").as("rest")));
        assertThat(matched(table, get("/x"))).isEqualTo("rest");
    }

    private static Map<String, Integer> draws(RouteTable table, RequestHead head, int times) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(7);
        Map<String, Integer> counts = new HashMap<>();
        for (int i = 0; i < times; i++) {
            Route route = table.match(head, CLIENT, random);
            counts.merge(route == null ? "none" : route.id(), 1, Integer::sum);
        }
        return counts;
    }

    private static String matched(RouteTable table, RequestHead head) {
        Route route = table.match(head, CLIENT);
        return route == null ? "none" : route.id();
    }

    @Test
    void aBodyIsReadyBeforeTheFirstRequest() {
        RouteConfig config = new RouteConfig(
                "r",
                0,
                MatchConfig.ANY,
                RewriteConfig.NONE,
                new RouteAction.Respond(200, Map.of(), "é"),
                RouteTimeouts.UNSET);
        Route route = RouteTable.build(List.of(config)).routes().get(0);
        assertThat(route.body()).containsExactly(0xc3, 0xa9).isSameAs(route.body());
    }
}
