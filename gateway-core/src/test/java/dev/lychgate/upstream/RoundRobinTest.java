package dev.lychgate.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.Algorithm;
import dev.lychgate.config.BalanceConfig;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RoundRobinTest {
    private static final BalanceConfig ROUND_ROBIN = BalanceConfig.of(Algorithm.ROUND_ROBIN);

    @Test
    void equalEndpointsTakeTurns() {
        LoadBalancer balancer = Fleet.of(3).balance(ROUND_ROBIN).balancer(1);
        Endpoint first = balancer.choose(Some.client(1));
        Endpoint second = balancer.choose(Some.client(1));
        Endpoint third = balancer.choose(Some.client(1));
        assertThat(balancer.choose(Some.client(1))).isSameAs(first);
        assertThat(first).isNotSameAs(second).isNotSameAs(third);
        assertThat(second).isNotSameAs(third);
    }

    @Test
    void everyLoopBeginsAtAnotherEndpoint() {
        Fleet fleet = Fleet.of(3).balance(ROUND_ROBIN);
        assertThat(new int[] {0, 1, 2, 3}).satisfies(loops -> {
            for (int loop : loops) {
                LoadBalancer balancer = fleet.loop(loop, 1).of(fleet.upstream().whole());
                assertThat(fleet.numberOf(Some.request(balancer, Some.client(1))))
                        .isEqualTo(loop % 3);
            }
        });
    }

    @Test
    void aChangeOfTheSetDoesNotRestartTheRound() {
        Fleet fleet = Fleet.of(4).balance(ROUND_ROBIN);
        LoadBalancer balancer = fleet.balancer(1);
        long[] chosen = new long[4];
        for (int i = 0; i < 400; i++) {
            // Sets the same weight, but creates another set.
            fleet.state().weight(Fleet.addressOf(0), i % 2);
            chosen[fleet.numberOf(Some.request(balancer, Some.client(1)))]++;
        }
        assertThat(chosen).containsExactly(100, 100, 100, 100);
    }

    @Test
    void weightsAreSpreadOverTheRound() {
        Fleet fleet = Fleet.weights(5, 1, 1);
        WeightedRoundRobin policy = new WeightedRoundRobin(fleet.set());
        StringBuilder round = new StringBuilder();
        for (int i = 0; i < 14; i++) {
            round.append("abc".charAt(policy.first(Some.client(1))));
        }
        assertThat(round).hasToString("aabacaaaabacaa");
    }

    @Test
    void weightsAreExactAndNoEndpointIsFarFromItsShare() {
        int[] weights = {40, 30, 20, 7, 3};
        Fleet fleet = Fleet.weights(weights);
        WeightedRoundRobin policy = new WeightedRoundRobin(fleet.set(), new SplittableRandom(7));
        long[] chosen = new long[weights.length];
        for (int i = 1; i <= 10_000; i++) {
            chosen[policy.first(Some.client(1))]++;
            for (int e = 0; e < weights.length; e++) {
                assertThat(Math.abs(chosen[e] - i * weights[e] / 100.0)).isLessThan(2);
            }
        }
    }

    @Test
    void loopsDoNotAllBeginWithTheHeaviest() {
        Fleet fleet = Fleet.weights(3, 2, 2, 2).balance(ROUND_ROBIN);
        long[] first = new long[4];
        for (int seed = 0; seed < 400; seed++) {
            first[fleet.numberOf(Some.request(fleet.balancer(seed), Some.client(1)))]++;
        }
        assertThat(first[0]).isLessThan(300);
    }
}
