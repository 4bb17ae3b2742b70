package dev.lychgate.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Balancers and loads of one event loop while two generations have an upstream with the same name. */
class LoopBalancersTest {
    private final Fleet fleet = Fleet.of(3);
    private final Upstream stable = fleet.upstream();
    private final LoopBalancers loop = fleet.loop(0, 5);
    private final Upstream candidate;

    LoopBalancersTest() {
        loop.adopt(List.of(stable));
        candidate = fleet.add(1, "", 0, Map.of()).upstream();
    }

    @Test
    void balancersOfAGenerationThatStaysGoOn() {
        LoadBalancer balancer = loop.of(stable.whole());
        loop.adopt(List.of(stable, candidate));
        assertThat(loop.of(stable.whole())).isSameAs(balancer);
        loop.adopt(List.of(stable));
        assertThat(loop.of(stable.whole())).isSameAs(balancer);
        loop.adopt(List.of(candidate));
        assertThat(loop.of(stable.whole())).isNotSameAs(balancer);
    }

    @Test
    void bothCountTheAttemptsAtAnEndpointThatBothContain() {
        loop.adopt(List.of(stable, candidate));
        loop.load(stable.endpoints().get(0)).begin();
        loop.load(candidate.endpoints().get(0)).begin();
        assertThat(loop.load(stable.endpoints().get(0)).outstanding()).isEqualTo(2);
        assertThat(loop.load(candidate.endpoints().get(1)).outstanding()).isZero();
    }

    @Test
    void theLoadOfAnEndpointLastsAsLongAsOneOfThemContainsIt() {
        loop.adopt(List.of(stable, candidate));
        EndpointLoad shared = loop.load(candidate.endpoints().get(0));
        EndpointLoad own = loop.load(candidate.endpoints().get(3));
        loop.adopt(List.of(stable));
        assertThat(loop.load(stable.endpoints().get(0))).isSameAs(shared);
        loop.adopt(List.of(stable, candidate));
        assertThat(loop.load(candidate.endpoints().get(3))).isNotSameAs(own);
    }
}
