package dev.lychgate.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EndpointOutcomesTest {
    private static final long MILLIS = 1_000_000;

    @Test
    void addsUpTheDurationsOfAllLoopsFailuresIncluded() {
        EndpointOutcomes outcomes = new EndpointOutcomes(2);

        outcomes.answered(0, 10 * MILLIS);
        outcomes.answered(1, 20 * MILLIS);
        outcomes.failed(1, 800 * MILLIS);

        assertThat(outcomes.durations().count()).isEqualTo(3);
        assertThat(outcomes.durations().percentile(0.5)).isBetween(0.0194, 0.0206);
        assertThat(outcomes.durations().percentile(0.99)).isBetween(0.775, 0.8);
        assertThat(outcomes.totals()).isEqualTo(new EndpointOutcomes.Totals(2, 1, 30 * MILLIS));
    }

    @Test
    void returnsASumThatLaterAttemptsDoNotChange() {
        EndpointOutcomes outcomes = new EndpointOutcomes(1);
        var before = outcomes.durations();
        outcomes.answered(0, MILLIS);

        assertThat(before.count()).isZero();
        assertThat(outcomes.durations().since(before).count()).isEqualTo(1);
    }
}
