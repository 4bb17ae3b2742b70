package dev.lychgate.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.Algorithm;
import dev.lychgate.config.BalanceConfig;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Choices by lot: at random, and of two the better one. */
class LotTest {
    private static final int MANY = 100_000;

    @Test
    void randomChoicesFitEqualWeights() {
        ChiSquare.assertFits(
                Fleet.of(5).balance(BalanceConfig.of(Algorithm.RANDOM)).choose(MANY, 11), 1, 1, 1, 1, 1);
    }

    @Test
    void randomChoicesFitAnyWeights() {
        ChiSquare.assertFits(
                Fleet.weights(1000, 300, 20, 5, 1)
                        .balance(BalanceConfig.of(Algorithm.RANDOM))
                        .choose(MANY, 12),
                1000,
                300,
                20,
                5,
                1);
    }

    @Test
    void theSecondChoiceIsAnotherEndpoint() {
        WeightedLot lot = new WeightedLot(Fleet.weights(1000, 1).set(), new SplittableRandom(13));
        for (int i = 0; i < 1000; i++) {
            assertThat(lot.drawBeside(0)).isEqualTo(1);
            assertThat(lot.drawBeside(1)).isZero();
        }
    }

    @Test
    void leastRequestsFollowsTheWeightsWithoutRunningRequests() {
        ChiSquare.assertFits(Fleet.weights(4, 3, 2, 1).choose(MANY, 14), 4, 3, 2, 1);
    }

    @Test
    void leastRequestsOfTwoTakesTheLessLoaded() {
        Fleet fleet = Fleet.of(2);
        LoopBalancers loop = fleet.loop(0, 15);
        loop.load(fleet.endpoint(0)).begin();
        for (int i = 0; i < 100; i++) {
            assertThat(loop.of(fleet.upstream().whole()).choose(Some.client(i))).isSameAs(fleet.endpoint(1));
        }
    }

    @Test
    void leastRequestsLoadsByWeight() {
        Fleet fleet = Fleet.weights(6, 3, 1);
        LoopBalancers loop = fleet.loop(0, 16);
        // All stay in progress: every chosen endpoint stays loaded.
        for (int i = 0; i < 1000; i++) {
            loop.load(Some.request(loop.of(fleet.upstream().whole()), Some.client(i)))
                    .begin();
        }
        assertThat(loop.load(fleet.endpoint(0)).outstanding()).isBetween(590, 610);
        assertThat(loop.load(fleet.endpoint(1)).outstanding()).isBetween(290, 310);
        assertThat(loop.load(fleet.endpoint(2)).outstanding()).isBetween(90, 110);
    }

    @Test
    void leastRequestsIsFarMoreEvenThanChance() {
        assertThat(spread(Algorithm.LEAST_REQUESTS)).isLessThanOrEqualTo(4);
        assertThat(spread(Algorithm.RANDOM)).isGreaterThan(50);
    }

    /**
     * Returns the difference between the most and the least loaded of ten endpoints after 10,000 requests, none
     * of which ends.
     */
    private static int spread(Algorithm algorithm) {
        Fleet fleet = Fleet.of(10).balance(BalanceConfig.of(algorithm));
        LoopBalancers loop = fleet.loop(0, 17);
        for (int i = 0; i < 10_000; i++) {
            loop.load(Some.request(loop.of(fleet.upstream().whole()), Some.client(i)))
                    .begin();
        }
        int[] loads = fleet.upstream().endpoints().stream()
                .mapToInt(e -> loop.load(e).outstanding())
                .sorted()
                .toArray();
        return loads[9] - loads[0];
    }
}
