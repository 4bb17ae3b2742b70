package dev.lychgate.route;

import static dev.lychgate.route.Requests.CLIENT;
import static dev.lychgate.route.Requests.get;
import static dev.lychgate.route.Requests.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.route.Requests.Match;
import dev.lychgate.route.RouteExplanation.Considered;
import dev.lychgate.route.RouteExplanation.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

class RouteExplanationTest {
    @Test
    void explainsEveryRouteInOrder() {
        RouteTable table = RouteTable.build(List.of(
                Match.of("/**").as("rest"),
                Match.of("/api/**").as("api"),
                Match.of("/api/{id}").methods("POST", "PUT").as("write"),
                Match.of("/api/x").header("X-Beta", "yes").as("beta"),
                Match.of("/api/x").query("v", "2").as("second"),
                Match.of("/api/x").clients("10.0.0.0/8").as("inside"),
                Match.of("/other").as("other"),
                Match.any().host("*.example.com").as("host")));
        RouteExplanation explanation = table.explain(get("a.example/api/x"), CLIENT);
        assertThat(explanation.matched()).containsExactly("api");
        assertThat(explanation.routes())
                .containsExactly(
                        new Considered("host", Verdict.FAILED, "host: *.example.com"),
                        new Considered("beta", Verdict.FAILED, "headers.x-beta: yes"),
                        new Considered("second", Verdict.FAILED, "query.v: 2"),
                        new Considered("inside", Verdict.FAILED, "clients: 10.0.0.0/8"),
                        new Considered("other", Verdict.FAILED, "path: /other"),
                        new Considered("write", Verdict.FAILED, "methods: POST, PUT"),
                        new Considered("api", Verdict.MATCHED, null),
                        new Considered("rest", Verdict.BEHIND, null));
    }

    @Test
    void explainsTheSharesOfAGroup() {
        RouteTable table = RouteTable.build(List.of(
                Match.of("/x").weight("g", 3).as("a"),
                Match.of("/x").weight("g", 1).as("b"),
                Match.of("/x").weight("g", 0).as("c"),
                Match.of("/x").as("d")));
        RouteExplanation explanation = table.explain(get("/x"), CLIENT);
        assertThat(explanation.matched()).containsExactly("a", "b");
        assertThat(explanation.routes())
                .containsExactly(
                        new Considered("a", Verdict.SHARES, "3 of 4"),
                        new Considered("b", Verdict.SHARES, "1 of 4"),
                        new Considered("c", Verdict.NO_TRAFFIC, null),
                        new Considered("d", Verdict.BEHIND, null));
    }

    @Test
    void reportsThatNoRouteMatches() {
        RouteTable table =
                RouteTable.build(List.of(Match.of("/x").methods("POST").as("r")));
        assertThat(table.explain(request("GET", "/x"), CLIENT))
                .isEqualTo(
                        new RouteExplanation(List.of(), List.of(new Considered("r", Verdict.FAILED, "methods: POST"))));
    }

    @Test
    void explainsARouteWithSeveralHostsOnce() {
        RouteTable table = RouteTable.build(
                List.of(Match.any().host("a.example", "*.example").as("r")));
        assertThat(table.explain(get("b.example/x"), CLIENT).routes())
                .containsExactly(new Considered("r", Verdict.MATCHED, null));
    }
}
