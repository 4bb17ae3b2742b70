package dev.lychgate.server.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lychgate.generation.Split;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DesignEffectTest {
    private final SplittableRandom random = new SplittableRandom(3);
    private final Tally stable = new Tally("api", false);
    private final Tally candidate = new Tally("api", true);

    /** Clients of the given number of exchanges each, which all fail or all succeed. */
    private void clients(Tally of, int count, int exchanges, boolean fail, long nanos) {
        for (int i = 0; i < count; i++) {
            int group = random.nextInt(Split.GROUPS);
            for (int k = 0; k < exchanges; k++) {
                of.count(group, fail ? 5 : 2, fail, false, nanos);
            }
        }
    }

    private Sides sides() {
        Sides sides = new Sides();
        sides.add(stable);
        sides.add(candidate);
        return sides;
    }

    private double effect() {
        return DesignEffect.of(sides(), Counts::errors, Counts::errors);
    }

    @Test
    void independentFailuresHaveNoEffect() {
        clients(stable, 100_000, 1, false, 0);
        clients(stable, 1000, 1, true, 0);
        clients(candidate, 1000, 1, false, 0);
        clients(candidate, 500, 1, true, 0);

        assertThat(effect()).isEqualTo(1);
    }

    @Test
    void oneFailureOrOnlyFailuresHaveNoEffect() {
        clients(stable, 1000, 1, false, 0);
        clients(candidate, 1, 1, true, 0);
        assertThat(effect()).isEqualTo(1);

        clients(candidate, 100, 1, true, 0);
        assertThat(effect()).isEqualTo(1);
    }

    @Test
    void aClientThatFailsTwentyTimesIsAboutOneFailure() {
        clients(stable, 1000, 20, false, 0);
        clients(candidate, 100, 20, false, 0);
        clients(candidate, 1, 20, true, 0);

        assertThat(effect()).isCloseTo(20, within(5.0));
    }

    @Test
    void theEffectIsAboutTheNumberOfExchangesThatFailTogether() {
        clients(stable, 10_000, 20, false, 0);
        clients(stable, 100, 20, true, 0);
        clients(candidate, 10_000, 20, false, 0);
        clients(candidate, 100, 20, true, 0);

        assertThat(effect()).isBetween(8.0, 45.0);
    }

    @Test
    void aFailureThatAllGroupsShareHasNoEffectBesideFewClientsOfTheStableGenerationThatFail() {
        clients(stable, 100_000, 1, false, 0);
        clients(stable, 2, 500, true, 0);
        clients(candidate, 950, 1, false, 0);
        clients(candidate, 50, 1, true, 0);

        assertThat(effect()).isLessThan(5);
    }

    @Test
    void withOneGroupOfTheCandidateTheStableGenerationDecides() {
        clients(stable, 10_000, 20, false, 0);
        clients(stable, 100, 20, true, 0);
        candidate.count(3, 2, false, false, 0);
        candidate.count(3, 5, true, false, 0);

        assertThat(effect()).isGreaterThan(5);
    }

    @Test
    void slowClientsAreRecognizedByTheirGroups() {
        long slow = 300_000_000;
        clients(stable, 10_000, 20, false, 2_000_000);
        clients(candidate, 1000, 20, false, 2_000_000);
        clients(candidate, 20, 20, false, slow);

        double effect = DesignEffect.of(
                sides(), counts -> counts.aboutAbove(30_000_000), counts -> counts.aboutAbove(10_000_000));

        assertThat(effect).isBetween(8.0, 45.0);
        assertThat(Tally.speed(0)).isZero();
        assertThat(Tally.speed(Long.MAX_VALUE)).isEqualTo(Tally.SPEEDS - 1);
    }
}
