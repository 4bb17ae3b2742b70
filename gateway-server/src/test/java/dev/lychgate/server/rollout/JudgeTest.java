package dev.lychgate.server.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.AbortRules;
import dev.lychgate.config.Tolerance;
import dev.lychgate.generation.Split;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The verdicts of a judge on given counts. Each look adds exchanges to the same tallies. */
class JudgeTest {
    private static final long MS = 1_000_000;
    private static final AbortRules OFF =
            new AbortRules(Tolerance.off(), Tolerance.off(), Tolerance.off(), Tolerance.off());

    private final SplittableRandom random = new SplittableRandom(5);
    private final Tally stable = new Tally("api", false);
    private final Tally candidate = new Tally("api", true);

    private void count(Tally tally, int times, int statusClass, boolean filterFailed, long millis) {
        for (int i = 0; i < times; i++) {
            tally.count(random.nextInt(Split.GROUPS), statusClass, statusClass == 5, filterFailed, millis * MS);
        }
    }

    private Judgement look(Judge judge) {
        Sides all = new Sides();
        all.add(stable);
        all.add(candidate);
        return judge.judge(all, Map.of("api", all), 1, List.of());
    }

    /** Looks ten times, after as many exchanges of both each time. */
    private Judgement after(Judge judge, Runnable candidates) {
        Judgement last = Judgement.NONE;
        for (int i = 0; i < 10; i++) {
            count(stable, 1000, 2, false, 5);
            candidates.run();
            last = look(judge);
        }
        return last;
    }

    @Test
    void holdsWithoutExchanges() {
        assertThat(look(new Judge(AbortRules.DEFAULT, 3)).verdict()).isEqualTo(Verdict.HOLD);
    }

    @Test
    void holdsWithoutExchangesOfTheStableGeneration() {
        Judge judge = new Judge(AbortRules.DEFAULT, 3);
        count(candidate, 10_000, 5, true, 5);

        assertThat(look(judge).verdict()).isEqualTo(Verdict.HOLD);
        assertThat(look(judge).reasons()).extracting(Finding::metric).contains(Metric.ERRORS, Metric.P99);
    }

    @Test
    void promotesAnEqualCandidate() {
        Judgement judgement = after(new Judge(AbortRules.DEFAULT, 3), () -> count(candidate, 1000, 2, false, 5));

        assertThat(judgement.verdict()).isEqualTo(Verdict.PROMOTE);
        assertThat(judgement.findings()).extracting(Finding::subject).contains("errors", "filter-failures");
    }

    @Test
    void promotesAlwaysIfNothingIsJudged() {
        Judgement judgement = after(new Judge(OFF, 3), () -> count(candidate, 100, 5, true, 5000));

        assertThat(judgement).isEqualTo(new Judgement(Verdict.PROMOTE, List.of()));
    }

    @Test
    void namesEveryMetricThatAborts() {
        Judgement judgement = after(new Judge(AbortRules.DEFAULT, 3), () -> count(candidate, 100, 5, true, 500));

        assertThat(judgement.verdict()).isEqualTo(Verdict.ABORT);
        assertThat(judgement.reasons())
                .extracting(Finding::metric)
                .contains(Metric.ERRORS, Metric.P99, Metric.FILTER_FAILURES, Metric.STATUS_SHIFT);
        assertThat(judgement.summary())
                .contains(
                        "errors: candidate 100.00% of 900 exchanges, stable 0.00% of 9000 exchanges (evidence ",
                        "errors on route api");
    }

    /** Counts failures of one client, whose requests are all in one group. */
    private void attack(Tally tally, int group, int times, int statusClass) {
        for (int i = 0; i < times; i++) {
            tally.count(group, statusClass, statusClass == 5, false, 5 * MS);
        }
    }

    @Test
    void oneClientThatFailsAbortsNothingInWhateverGroupItIs() {
        for (int group = 0; group < Split.GROUPS; group++) {
            JudgeTest fresh = new JudgeTest();
            Judge judge = new Judge(AbortRules.DEFAULT, 3);
            for (int i = 0; i < 20; i++) {
                fresh.count(fresh.stable, 1000, 2, false, 5);
                fresh.count(fresh.candidate, 60, 2, false, 5);
                fresh.attack(fresh.candidate, group, 40, i % 2 == 0 ? 5 : 4);

                assertThat(fresh.look(judge).verdict()).isEqualTo(Verdict.HOLD);
            }
        }
    }

    @Test
    void oneSlowClientAbortsNothing() {
        Judge judge = new Judge(AbortRules.DEFAULT, 3);

        Judgement judgement = after(judge, () -> {
            count(candidate, 60, 2, false, 5);
            for (int i = 0; i < 40; i++) {
                candidate.count(7, 2, false, false, 3000 * MS);
            }
        });

        assertThat(judgement.verdict()).isEqualTo(Verdict.HOLD);
    }

    @Test
    void aRegressionForEveryoneAbortsBesideAClientThatAlwaysFails() {
        Judge judge = new Judge(AbortRules.DEFAULT, 3);

        Judgement judgement = after(judge, () -> {
            count(candidate, 90, 2, false, 5);
            count(candidate, 10, 5, false, 5);
            attack(candidate, 3, 20, 5);
        });

        assertThat(judgement.verdict()).isEqualTo(Verdict.ABORT);
    }

    /** Behind a proxy that is not trusted, all requests have its address. */
    @Test
    void requestsOfOneAddressAreJudgedIfThereAreNoOthers() {
        Judge judge = new Judge(AbortRules.DEFAULT, 3);
        Judgement judgement = Judgement.NONE;
        for (int i = 0; i < 10; i++) {
            for (int k = 0; k < 1000; k++) {
                stable.count(8 + random.nextInt(4), 2, false, false, 5 * MS);
                candidate.count(8 + random.nextInt(4), k % 10 == 0 ? 5 : 2, k % 10 == 0, false, 5 * MS);
            }
            judgement = look(judge);
        }

        assertThat(judgement.verdict()).isEqualTo(Verdict.ABORT);
    }

    @Test
    void judgesAFilterThatFailsOpen() {
        Judgement judgement = after(new Judge(AbortRules.DEFAULT, 3), () -> {
            count(candidate, 90, 2, false, 5);
            count(candidate, 10, 2, true, 5);
        });

        assertThat(judgement.reasons()).extracting(Finding::metric).containsOnly(Metric.FILTER_FAILURES);
    }

    @Test
    void doesNotAbortOnAFewFailures() {
        Judge judge = new Judge(AbortRules.DEFAULT, 3);
        count(stable, 10_000, 2, false, 5);
        count(candidate, 1, 2, false, 5);
        look(judge);
        count(stable, 10_000, 2, false, 5);
        count(candidate, Trial.LEAST - 1, 5, true, 5);

        assertThat(look(judge).verdict()).isEqualTo(Verdict.HOLD);
    }

    @Test
    void staysWithAnAbort() {
        Judge judge = new Judge(AbortRules.DEFAULT, 3);
        after(judge, () -> count(candidate, 10, 5, false, 5));

        assertThat(after(judge, () -> count(candidate, 1000, 2, false, 5)).verdict())
                .isEqualTo(Verdict.ABORT);
    }

    /** A response of 200 instead of 403 is a change as well. */
    @Test
    void abortsIfRejectedRequestsSucceed() {
        Judgement judgement = after(new Judge(AbortRules.DEFAULT, 3), () -> {
            count(stable, 100, 4, false, 5);
            count(candidate, 500, 2, false, 5);
        });

        assertThat(judgement.reasons()).extracting(Finding::part).contains("2xx");
    }
}
