package dev.lychgate.route;

import static dev.lychgate.route.Requests.CLIENT;
import static dev.lychgate.route.Requests.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.RegexBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RequestGroupsTest {
    @Test
    void containsARequestOfAnyGroup() {
        RequestGroups groups = RequestGroups.compile(
                "include", List.of(MatchConfig.path("/beta/**"), MatchConfig.path("regex:/v[0-9]+")));

        assertThat(groups.contain(get("a/beta/x"), CLIENT)).isTrue();
        assertThat(groups.contain(get("a/v2"), CLIENT)).isTrue();
        assertThat(groups.contain(get("a/stable"), CLIENT)).isFalse();
        assertThat(groups).hasToString("any: (path: /beta/**) or (path: regex:/v[0-9]+)");
    }

    @Test
    void noneContainsNothing() {
        assertThat(RequestGroups.NONE.contain(get("a/"), CLIENT)).isFalse();
        assertThat(RequestGroups.NONE).hasToString("none");
    }

    @Test
    void reportsEveryFaultWithItsKey() {
        List<MatchConfig> wrong = List.of(MatchConfig.path("beta"), MatchConfig.ANY);

        assertThat(RequestGroups.faults("rollout.include", wrong).stream().map(ConfigException::getMessage))
                .containsExactly(
                        "rollout.include[0].path: beta (expected: a path that begins with /, or regex:)",
                        "rollout.include[1]: no predicate (expected: at least one predicate)");
        assertThatThrownBy(() -> RequestGroups.compile("rollout.include", wrong))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("rollout.include[0].path");
    }

    private static MatchConfig header(String name, String value) {
        return new MatchConfig(List.of(), null, List.of(), Map.of(name, value), Map.of(), List.of(), null);
    }

    @Test
    void masksValuesThatMayBeCredentials() {
        List<MatchConfig> secret =
                List.of(header("Authorization", "Basic swordfish"), header("x-api-key", "swordfish"));
        assertThat(RequestGroups.compile("k", secret))
                .hasToString("any: (headers.authorization: ***) or (headers.x-api-key: ***)");
        assertThat(RequestGroups.compile("k", List.of(header("authorization", "*"), header("x-a", "seen"))))
                .hasToString("any: (headers.authorization: *) or (headers.x-a: seen)");
        assertThatThrownBy(() -> RequestGroups.compile("k", List.of(header("cookie", "regex:swordfish("))))
                .hasMessageStartingWith("k[0].headers.cookie: *** (expected: ");
    }

    @Test
    void groupsWithDifferentCredentialsAreDifferent() {
        List<RoutePredicate.Groups> groups = Stream.of("one", "two", "two")
                .map(value -> new PredicateCompiler("", new RegexBudget("k"), new ArrayList<>())
                        .groups("k", List.of(header("authorization", value)), true))
                .toList();
        assertThat(groups.get(0).coveredBy(groups.get(1))).isFalse();
        assertThat(groups.get(1).coveredBy(groups.get(2))).isTrue();
    }
}
