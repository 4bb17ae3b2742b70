package dev.lychgate.route;

import static dev.lychgate.route.Requests.CLIENT;
import static dev.lychgate.route.Requests.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.MatchConfig;
import java.util.List;
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
}
