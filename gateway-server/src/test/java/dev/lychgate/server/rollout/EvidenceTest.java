package dev.lychgate.server.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The evidence is an e-process: checked against all outcomes of small blocks, and against large ones. */
class EvidenceTest {
    private static final double[] SHARES = {0, 0.003, 0.05, 0.3, 0.5, 0.93, 1};

    /** The hypothesis that c - s is at most the bound if the alternatives are above it, otherwise at least the bound. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Setup(double bound, double[] differences) {
        Evidence evidence() {
            return new Evidence(bound, differences, Double.MAX_VALUE);
        }

        boolean holds(double stable, double candidate) {
            return differences[0] > bound ? candidate - stable <= bound : candidate - stable >= bound;
        }
    }

    private static final List<Setup> SETUPS = List.of(
            new Setup(0.005, new double[] {0.01, 0.03, 0.09, 0.27, 0.81}),
            new Setup(0.05, new double[] {0.1, 0.3, 0.9}),
            new Setup(0, new double[] {0.2}),
            new Setup(0.01, new double[] {0, 0.005}),
            new Setup(0.1, new double[] {0, 0.05}));

    static Stream<Arguments> blocks() {
        List<Arguments> all = new ArrayList<>();
        for (Setup setup : SETUPS) {
            for (int[] size : new int[][] {{1, 1}, {1, 7}, {6, 1}, {5, 5}, {12, 3}}) {
                for (double plugged : new double[] {1e-9, 0.001, 0.2, 0.7, 0.9999}) {
                    all.add(Arguments.of(setup, size[0], size[1], plugged));
                }
            }
        }
        return all.stream();
    }

    private static double binomial(int n, int k, double p) {
        double choose = 1;
        for (int i = 1; i <= k; i++) {
            choose = choose * (n - k + i) / i;
        }
        return choose * Math.pow(p, k) * Math.pow(1 - p, n - k);
    }

    /** The expectation over all outcomes of one block. */
    private static double expectation(int candidates, int stables, double c, double s, DoubleBinaryOperator of) {
        double sum = 0;
        for (int k = 0; k <= candidates; k++) {
            for (int m = 0; m <= stables; m++) {
                sum += binomial(candidates, k, c) * binomial(stables, m, s) * of.applyAsDouble(k, m);
            }
        }
        return sum;
    }

    @ParameterizedTest(name = "{0}, {1} and {2} exchanges, s* = {3}")
    @MethodSource("blocks")
    void expectsNoMoreThanTheStakeWhereverTheHypothesisHolds(Setup setup, int candidates, int stables, double plugged) {
        for (double s : SHARES) {
            for (double c : SHARES) {
                for (double effect : new double[] {1, 2.5}) {
                    if (setup.holds(s, c)) {
                        double expected = expectation(candidates, stables, c, s, (k, m) -> {
                            Evidence evidence = setup.evidence();
                            evidence.add(block(candidates, (long) k, stables, (long) m), plugged, effect);
                            return Math.exp(evidence.log());
                        });
                        assertThat(expected).as("s = %s, c = %s", s, c).isLessThanOrEqualTo(1 + 1e-9);
                    }
                }
            }
        }
    }

    /** By block, s and c: they may change over time as long as the hypothesis holds. */
    private static final double[][][] CHANGING = {
        {{0.2, 0.2}, {0.9, 0.9}, {0.02, 0.01}, {0, 0}},
        {{0.2, 0.215}, {0.5, 0.7}, {0.02, 0.035}, {0, 0.015}},
        {{0.2, 0.31}, {0.5, 0.61}, {0.85, 1}, {0, 0.11}},
        {{0.3, 0.35}, {0.9, 0.9}, {0.1, 0.02}, {0.5, 0.55}},
    };

    @Test
    void seldomReachesItsLimitAtAnyTimeThoughTheSharesChange() {
        int held = 0;
        for (Setup setup : SETUPS) {
            for (double[][] shares : CHANGING) {
                if (Stream.of(shares).allMatch(pair -> setup.holds(pair[0], pair[1]))) {
                    Paths all = new Paths(setup, shares);
                    all.visit(new ArrayList<>(), 1, false);
                    assertThat(all.expected).as(setup.toString()).isLessThanOrEqualTo(1 + 1e-9);
                    assertThat(all.reached).as("probability of ever reaching 4").isLessThanOrEqualTo(0.25);
                    held++;
                }
            }
        }
        assertThat(held).isGreaterThan(5);
    }

    /** All outcomes of several blocks of 2 exchanges of the candidate and 3 of the stable generation. */
    private static final class Paths {
        private final Setup setup;
        private final double[][] shares;
        /** The expectation of the evidence after the last block. */
        private double expected;
        /** The probability that the evidence has been at least 4 after any block. */
        private double reached;

        Paths(Setup setup, double[][] shares) {
            this.setup = setup;
            this.shares = shares;
        }

        void visit(List<Block> past, double probability, boolean reachedBefore) {
            Evidence evidence = setup.evidence();
            past.forEach(block -> evidence.add(block, 0.15, 1));
            boolean now = reachedBefore || evidence.log() >= Math.log(4);
            if (past.size() == shares.length) {
                expected += probability * Math.exp(evidence.log());
                reached += now ? probability : 0;
                return;
            }
            double[] pair = shares[past.size()];
            for (int k = 0; k <= 2; k++) {
                for (int m = 0; m <= 3; m++) {
                    double next = probability * binomial(2, k, pair[1]) * binomial(3, m, pair[0]);
                    if (next > 0) {
                        past.add(block(2, k, 3, m));
                        visit(past, next, now);
                        past.remove(past.size() - 1);
                    }
                }
            }
        }
    }

    private static Block block(long candidates, long k, long stables, long m) {
        return new Block(candidates, k, stables, m);
    }

    /** The likelihood of each outcome under the alternative, divided by that under the closest member of the hypothesis. */
    @Test
    void multipliesTheStakeByTheLikelihoodRatioToTheClosestMemberOfTheHypothesis() {
        for (double stable : new double[] {0.004, 0.1, 0.6}) {
            for (double difference : new double[] {0.02, 0.2}) {
                double candidate = stable + difference;
                double bound = difference / 2;
                Evidence evidence = new Evidence(bound, new double[] {difference}, Double.MAX_VALUE);
                evidence.add(block(7, 3, 40, 2), stable, 1);
                double closest = searched(7, 40, stable, candidate, bound);
                double ratio = Math.pow(candidate / (closest + bound), 3)
                        * Math.pow((1 - candidate) / (1 - closest - bound), 4)
                        * Math.pow(stable / closest, 2)
                        * Math.pow((1 - stable) / (1 - closest), 38);

                assertThat(Math.exp(evidence.log())).isCloseTo(0.5 + 0.5 * ratio, within(1e-3 * ratio));
            }
        }
    }

    private static double searched(int n, int m, double stable, double candidate, double bound) {
        double best = 0;
        double least = Double.MAX_VALUE;
        for (double s = 1e-6; s < 1 - bound; s += 1e-6) {
            double distance = n * divergence(candidate, s + bound) + m * divergence(stable, s);
            if (distance < least) {
                least = distance;
                best = s;
            }
        }
        return best;
    }

    private static double divergence(double p, double q) {
        return p * Math.log(p / q) + (1 - p) * Math.log((1 - p) / (1 - q));
    }

    @Test
    void isFiniteForLargeCountsAndExtremeShares() {
        long billion = 1_000_000_000L;
        for (Setup setup : SETUPS) {
            for (double plugged : new double[] {1e-11, 0.5, 1 - 1e-11}) {
                for (long with : new long[] {0, 1, billion / 2, billion}) {
                    Evidence evidence = setup.evidence();
                    evidence.add(block(billion, with, billion, billion / 100), plugged, 1);
                    evidence.add(block(1, 1, billion, 0), plugged, 1);
                    evidence.add(block(billion, 0, 1, 1), plugged, 1);
                    assertThat(evidence.log())
                            .as("%s %s %s", setup, plugged, with)
                            .isFinite();
                }
            }
        }
    }

    @Test
    void detectsAChangeAfterADayOfEqualShares() {
        Evidence evidence = new Evidence(0.005, new double[] {0.01, 0.03, 0.09, 0.27, 0.81}, Double.MAX_VALUE);
        for (int i = 0; i < 345_600; i++) {
            evidence.add(block(625, 1, 625, 1), 0.0016, 1);
        }
        assertThat(evidence.log()).isNegative().isGreaterThan(-4);

        int blocks = 0;
        while (evidence.log() < 9 && blocks < 1000) {
            evidence.add(block(625, 14, 625, 1), 0.0016, 1);
            blocks++;
        }

        assertThat(blocks).isLessThan(10);
    }
}
