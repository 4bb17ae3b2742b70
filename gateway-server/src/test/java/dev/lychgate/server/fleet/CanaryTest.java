package dev.lychgate.server.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The nodes that a canary selects. */
class CanaryTest {
    private static final String A = "a".repeat(64);
    private static final String B = "b".repeat(64);
    private static final List<String> NODES =
            IntStream.range(0, 50).mapToObj(i -> "node" + i).toList();

    private static Canary canary(String digest, double share) {
        return Canary.ofShare(digest, share, NODES, Map.of(), null);
    }

    private static List<String> selected(Canary canary) {
        return NODES.stream().filter(node -> canary.selects(node, Map.of())).toList();
    }

    @Test
    void selectsTheShareOfTheNodesRoundedUp() {
        assertThat(selected(canary(A, 0.001))).hasSize(1);
        assertThat(selected(canary(A, 0.02))).hasSize(1);
        assertThat(selected(canary(A, 0.03))).hasSize(2);
        assertThat(selected(canary(A, 0.5))).hasSize(25);
        assertThat(selected(canary(A, 0.99))).hasSize(50);
        assertThat(selected(canary(A, 1))).hasSize(50);
        assertThat(canary(A, 1).bound()).isEqualTo(Canary.ALL);
    }

    @Test
    void aLargerShareKeepsTheNodes() {
        List<String> before = selected(canary(A, 0.01));
        for (int percent = 2; percent <= 100; percent++) {
            List<String> next = selected(canary(A, percent / 100.0));
            assertThat(next).as("%d%%", percent).containsAll(before);
            before = next;
        }
    }

    @Test
    void anotherReleaseSelectsOtherNodes() {
        assertThat(selected(canary(A, 0.2))).isNotEqualTo(selected(canary(B, 0.2)));
    }

    @Test
    void selectsOnlyNodesWithAllLabels() {
        Canary canary = Canary.ofShare(A, 1, List.of("a"), Map.of("zone", "a", "tier", "edge"), null);
        assertThat(canary.selects("a", Map.of("zone", "a", "tier", "edge", "rack", "7")))
                .isTrue();
        assertThat(canary.selects("a", Map.of("zone", "a"))).isFalse();
        assertThat(canary.selects("a", Map.of("zone", "b", "tier", "edge"))).isFalse();
        assertThat(canary.selects("a", Map.of())).isFalse();
    }
}
