package dev.lychgate.server.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ComparisonTest {
    private final Comparison comparison = new Comparison(0.01);

    private void add(int times, Block block) {
        for (int i = 0; i < times; i++) {
            comparison.add(block, 1);
        }
    }

    @Test
    void hasNoEvidenceBeforeTheShareOfTheStableGenerationIsKnown() {
        add(1, new Block(100, 100, 100, 0));

        assertThat(comparison.worse()).isZero();
        assertThat(comparison.harmless()).isZero();
        assertThat(comparison.candidate()).isEqualTo(Share.NONE);
    }

    @Test
    void equalSharesAreHarmlessAndNotWorse() {
        add(100, new Block(50, 0, 5000, 5));

        assertThat(comparison.harmless()).isGreaterThan(10);
        assertThat(comparison.worse()).isNegative();
    }

    @Test
    void aTotalFailureIsWorseWithinTenExchanges() {
        add(2, new Block(10, 10, 990, 0));

        assertThat(comparison.worse()).isGreaterThan(20);
        assertThat(comparison.candidate()).isEqualTo(new Share(10, 10));
    }

    @Test
    void anOutageOfBothGenerationsIsNoDifference() {
        add(100, new Block(50, 0, 4950, 1));
        add(40, new Block(50, 30, 4950, 2970));
        assertThat(comparison.worse()).isNegative();
        add(100, new Block(50, 0, 4950, 1));

        assertThat(comparison.worse()).isNegative();
    }

    @Test
    void forgetsAnOutageBeforeItComparesAgain() {
        add(40, new Block(50, 30, 4950, 2970));
        add(20, new Block(50, 0, 4950, 1));

        add(40, new Block(50, 2, 4950, 1));

        assertThat(comparison.worse()).isGreaterThan(10);
    }

    @Test
    void laterHarmOutweighsEarlierHarmlessnessWithinSeconds() {
        add(10_000, new Block(500, 0, 500, 0));
        assertThat(comparison.harmless()).isGreaterThan(5);

        add(10, new Block(500, 20, 500, 0));

        assertThat(comparison.harmless()).isLessThan(3);
        assertThat(comparison.worse()).isGreaterThan(10);
    }

    /** Between half of the tolerance and the tolerance, either may come first. */
    @Test
    void decidesOnBothSidesOfTheTolerance() {
        Comparison small = new Comparison(0.01);
        Comparison large = new Comparison(0.01);
        for (int i = 0; i < 1000; i++) {
            small.add(new Block(1000, 4, 1000, 0), 1);
            large.add(new Block(1000, 11, 1000, 0), 1);
        }

        assertThat(small.harmless()).isGreaterThan(3);
        assertThat(small.worse()).isNegative();
        assertThat(large.worse()).isGreaterThan(10);
        assertThat(large.harmless()).isLessThan(1);
    }
}
