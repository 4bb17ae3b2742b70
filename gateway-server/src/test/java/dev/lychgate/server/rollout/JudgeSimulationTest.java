package dev.lychgate.server.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.AbortRules;
import dev.lychgate.server.rollout.Simulation.Arm;
import dev.lychgate.server.rollout.Simulation.Outcome;
import dev.lychgate.server.rollout.Simulation.Route;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Seeded simulations of whole rollouts with the default rules and steps. With {@code -Dlychgate.simulation=1000} each has that
 * many runs instead of 25, and they print their figures, from which the tables of the documentation are made.
 */
@Tag("slow")
class JudgeSimulationTest {
    private static final int RUNS = Integer.getInteger("lychgate.simulation", 25);
    private static final double RATE = 5000;
    private static final double BUSY = 20_000;
    private static final Latencies QUICK = Latencies.lognormal(2, 0.4);
    private static final Arm GOOD = new Arm(0, 0, 0, QUICK);

    /** The outcomes of all seeds. */
    private record Outcomes(List<Outcome> all) {
        static Outcomes of(String name, Simulation simulation) {
            return of(name, simulation, RUNS);
        }

        static Outcomes of(String name, Simulation simulation, int runs) {
            Outcomes outcomes = new Outcomes(LongStream.range(0, runs)
                    .parallel()
                    .mapToObj(simulation::run)
                    .toList());
            if (System.getProperty("lychgate.simulation") != null) {
                System.out.println(outcomes.line(name));
            }
            return outcomes;
        }

        long count(Verdict verdict) {
            return all.stream().filter(each -> each.verdict() == verdict).count();
        }

        long count(Predicate<Outcome> which) {
            return all.stream().filter(which).count();
        }

        /** Returns the exchanges that the candidate had received at its end, in the given share of the runs at most. */
        long exchanges(double share) {
            List<Long> sorted = all.stream().map(Outcome::exchanges).sorted().toList();
            return sorted.get((int) Math.ceil(share * sorted.size()) - 1);
        }

        double seconds(double share) {
            List<Double> sorted = all.stream().map(Outcome::seconds).sorted().toList();
            return sorted.get((int) Math.ceil(share * sorted.size()) - 1);
        }

        String line(String name) {
            return String.format(
                    Locale.ROOT,
                    "%-44s promoted %4d, aborted %4d, held %4d; exchanges p50 %6d p95 %6d; seconds p50 %5.1f p95 %6.1f",
                    name,
                    count(Verdict.PROMOTE),
                    count(Verdict.ABORT),
                    count(Verdict.HOLD),
                    exchanges(0.5),
                    exchanges(0.95),
                    seconds(0.5),
                    seconds(0.95));
        }
    }

    private static Simulation of(Arm stable, Arm candidate) {
        return new Simulation(AbortRules.DEFAULT, RATE, stable, candidate);
    }

    /** With much traffic, so that simulations that need many exchanges stay short. */
    private static Simulation busy(Arm stable, Arm candidate) {
        return new Simulation(AbortRules.DEFAULT, stable.errors() < 0.05 ? BUSY : 2.5 * BUSY, stable, candidate);
    }

    private static Simulation busy(double errors, double more) {
        return busy(GOOD.errors(errors), GOOD.errors(errors + more));
    }

    @ParameterizedTest(name = "base errors {0}")
    @ValueSource(doubles = {0, 0.001, 0.01, 0.1})
    void promotesACandidateThatIsNoWorse(double errors) {
        Outcomes outcomes = Outcomes.of("equal, errors " + errors, busy(errors, 0));

        assertThat(outcomes.count(Verdict.ABORT)).as("false aborts").isLessThanOrEqualTo(RUNS / 100);
        assertThat(outcomes.count(Verdict.HOLD)).isZero();
        assertThat(outcomes.seconds(0.95)).as("on schedule").isLessThanOrEqualTo(errors < 0.1 ? 93 : 120);
    }

    @ParameterizedTest(name = "base errors {0}")
    @ValueSource(doubles = {0, 0.001, 0.01, 0.1})
    void abortsOnePointMoreErrors(double errors) {
        Outcomes outcomes = Outcomes.of("+1 point, errors " + errors, busy(errors, 0.01));

        assertThat(outcomes.count(Verdict.PROMOTE)).as("missed").isLessThanOrEqualTo(RUNS * 5 / 100);
        assertThat(outcomes.count(Verdict.HOLD)).isZero();
    }

    @Test
    void abortsAFilterThatFailsInFivePercentWithinTenSeconds() {
        Outcomes outcomes = Outcomes.of(
                "filter fails in 5 %", of(GOOD, GOOD.failingFilter(0.05)).lookingEvery(0.25));
        Outcomes open = Outcomes.of(
                "filter fails open in 5 %", of(GOOD, GOOD.filterFailures(0.05)).lookingEvery(0.25));

        assertThat(outcomes.count(run -> run.verdict() == Verdict.ABORT && run.seconds() <= 10))
                .isEqualTo(RUNS);
        assertThat(open.count(run -> run.verdict() == Verdict.ABORT && run.seconds() <= 10))
                .isEqualTo(RUNS);
    }

    @Test
    void abortsAFilterThatAlwaysFailsWithinTensOfRequests() {
        Outcomes outcomes = Outcomes.of(
                "filter always fails", of(GOOD, GOOD.failingFilter(1)).lookingEvery(0.25));

        assertThat(outcomes.count(run -> run.verdict() == Verdict.ABORT && run.exchanges() <= 40))
                .isEqualTo(RUNS);
    }

    @Test
    void abortsAFilterThatDelaysAllRequests() {
        Outcomes outcomes = Outcomes.of(
                "+30 ms on all", of(GOOD, GOOD.latencies(QUICK.slower(1, 30))).lookingEvery(0.25));

        assertThat(outcomes.count(run -> run.verdict() == Verdict.ABORT
                        && run.seconds() <= 5
                        && run.reasons().stream().anyMatch(finding -> finding.metric() == Metric.P99)))
                .isEqualTo(RUNS);
    }

    @Test
    void abortsAFilterThatDelaysThreePercentOfTheRequests() {
        Outcomes outcomes = Outcomes.of("+30 ms on 3 %", busy(GOOD, GOOD.latencies(QUICK.slower(0.03, 30))));

        assertThat(outcomes.count(Verdict.PROMOTE)).isLessThanOrEqualTo(RUNS * 5 / 100);
        assertThat(outcomes.count(Verdict.HOLD)).isZero();
    }

    @Test
    void ignoresHeavyTails() {
        Latencies lognormal = Latencies.lognormal(40, 1.5);
        Latencies bimodal = Latencies.lognormal(3, 0.3).slower(0.2, 400);
        for (Latencies each : List.of(lognormal, bimodal)) {
            Arm arm = GOOD.latencies(each).errors(0.001);

            Outcomes outcomes = Outcomes.of("heavy tail", busy(arm, arm));

            assertThat(outcomes.count(Verdict.ABORT)).isLessThanOrEqualTo(RUNS / 100);
            assertThat(outcomes.count(Verdict.HOLD)).isZero();
        }
    }

    @Test
    void abortsAStatusShiftOfTwoPoints() {
        Outcomes more = Outcomes.of("4xx +2 points", busy(GOOD.rejected(0.05), GOOD.rejected(0.07)));
        Outcomes fewer = Outcomes.of("4xx -2 points", busy(GOOD.rejected(0.05), GOOD.rejected(0.03)));

        for (Outcomes outcomes : List.of(more, fewer)) {
            assertThat(outcomes.count(Verdict.PROMOTE)).isLessThanOrEqualTo(RUNS * 5 / 100);
            assertThat(outcomes.count(Verdict.HOLD)).isZero();
        }
    }

    /** A tenth of the traffic is on a route with other figures; the regression is on a route with a hundredth. */
    private static Map<String, Route> unequal(Arm rare) {
        Arm slow = new Arm(0.02, 0, 0.3, Latencies.lognormal(200, 0.7));
        return Map.of(
                "main", new Route(BUSY * 0.89, GOOD.errors(0.001), GOOD.errors(0.001)),
                "slow", new Route(BUSY * 0.1, slow, slow),
                "rare", new Route(BUSY * 0.01, GOOD, rare));
    }

    @Test
    void doesNotConfuseUnequalRoutes() {
        Map<String, Route> routes = unequal(GOOD);

        Outcomes outcomes = Outcomes.of("unequal routes", new Simulation(AbortRules.DEFAULT, second -> routes));

        assertThat(outcomes.count(Verdict.ABORT)).isLessThanOrEqualTo(RUNS / 100);
        assertThat(outcomes.count(Verdict.HOLD)).isZero();
    }

    @Test
    void abortsARegressionOnASingleRoute() {
        Map<String, Route> routes = unequal(GOOD.errors(0.3));

        Outcomes outcomes =
                Outcomes.of("30 % errors on 1 % of traffic", new Simulation(AbortRules.DEFAULT, second -> routes));

        assertThat(outcomes.count(run -> run.verdict() == Verdict.ABORT
                        && "rare"
                                .equals(Objects.requireNonNull(run.reasons().get(0))
                                        .route())))
                .isGreaterThanOrEqualTo(RUNS * 95 / 100);
    }

    /** The traffic doubles and halves, and the origin fails for ten seconds of every minute. */
    private static Map<String, Route> changing(double second) {
        boolean outage = second % 60 >= 20 && second % 60 < 30;
        Arm arm = outage ? GOOD.errors(0.6).latencies(OUTAGE) : GOOD.errors(0.001);
        return Map.of("api", new Route(BUSY * (1 + Math.sin(second / 20) / 2), arm, arm));
    }

    private static final Latencies OUTAGE = Latencies.lognormal(900, 0.4);

    @Test
    void anOutageOfTheOriginDoesNotAbort() {
        Outcomes outcomes =
                Outcomes.of("outages of the origin", new Simulation(AbortRules.DEFAULT, JudgeSimulationTest::changing));

        assertThat(outcomes.count(Verdict.ABORT)).isLessThanOrEqualTo(RUNS / 100);
        assertThat(outcomes.count(Verdict.HOLD)).isZero();
    }

    /** A client that fails with all of its exchanges counts about as one failure. */
    @ParameterizedTest(name = "{0} exchanges per client")
    @ValueSource(ints = {2, 5, 20, 100})
    void clientsThatFailAsAWholeDoNotAbort(int exchanges) {
        Arm arm = GOOD.errors(0.01);

        Outcomes outcomes = Outcomes.of(
                "clients of " + exchanges, of(arm, arm).inBurstsOf(exchanges).lookingEvery(0.25));

        assertThat(outcomes.count(Verdict.ABORT)).as("false aborts").isLessThanOrEqualTo(Math.max(2, RUNS / 50));
    }

    @Test
    void abortsARegressionBesideClientsThatFailAsAWhole() {
        Arm stable = GOOD.errors(0.01);

        Outcomes outcomes = Outcomes.of(
                "clients of 20, +3 points",
                of(stable, GOOD.errors(0.04)).inBurstsOf(20).lookingEvery(0.25));

        assertThat(outcomes.count(Verdict.ABORT)).isGreaterThanOrEqualTo(RUNS * 95 / 100);
    }

    @Test
    void holdsWithoutEnoughTraffic() {
        Simulation simulation = new Simulation(AbortRules.DEFAULT, 2, GOOD, GOOD);

        Outcomes outcomes = Outcomes.of("2 requests/s", simulation.atMost(3600), 100);

        assertThat(outcomes.count(Verdict.HOLD)).isEqualTo(100);
    }

    /** The table of the documentation: exchanges of the candidate, which 95 % of the decisions do not exceed. */
    @ParameterizedTest(name = "base errors {0}")
    @CsvSource({
        "0,     1000, 15000, 2500, 600",
        "0.001, 1500, 16500, 3000, 600",
        "0.01,  3000, 30000, 5000, 800",
        "0.05,  12000, 100000, 15000, 2000",
        "0.1,   20000, 160000, 24000, 3500",
    })
    void decidesWithinTheDocumentedExchanges(double errors, long next, long one, long two, long five) {
        long[] documented = {next, one, two, five};
        double[] more = {0, 0.01, 0.02, 0.05};
        for (int i = 0; i < more.length; i++) {
            Outcomes outcomes = Outcomes.of(
                    "one step, errors " + errors + " + " + more[i],
                    busy(errors, more[i]).ofOneStep().lookingEvery(0.5),
                    100);

            // A step may miss 5 %, of which 10 in 100 runs are the 98 % quantile.
            assertThat(outcomes.count(i == 0 ? Verdict.PROMOTE : Verdict.ABORT)).isGreaterThanOrEqualTo(90);
            assertThat(outcomes.exchanges(0.95)).isLessThanOrEqualTo(documented[i]);
        }
    }
}
