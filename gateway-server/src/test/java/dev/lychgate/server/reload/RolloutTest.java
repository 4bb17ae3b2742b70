package dev.lychgate.server.reload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.generation.Generation;
import dev.lychgate.server.admin.RolloutControl.State;
import dev.lychgate.server.admin.RolloutControl.Status;
import dev.lychgate.server.rollout.Verdict;
import dev.lychgate.server.yaml.ConfigReader;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every transition of a rollout, with a clock that only the test moves. */
class RolloutTest {
    private final FakeRollout fake = new FakeRollout(generation(), 8);
    private final Rollout rollout = fake.begin(FakeRollout.plan("1%", "10%", "50%"));

    private static Generation generation() {
        try {
            return Generation.first(
                    new ConfigReader(name -> null)
                            .read("gateway.yml", "listeners: [{ name: main, address: \"127.0.0.1:0\" }]\n")
                            .config(),
                    FilterSet.EMPTY,
                    1);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void look(Verdict verdict) {
        fake.verdict(verdict);
        rollout.look();
    }

    /** Passes the hold of a step, with a verdict at its end. */
    private void step(Verdict verdict) {
        fake.pass(10);
        look(verdict);
    }

    @Test
    void beginsWithTheFirstShareAndAComparison() {
        assertThat(rollout.state()).isEqualTo(State.RUNNING);
        assertThat(rollout.share()).isEqualTo(0.01);
        assertThat(fake.calls).containsExactly("judge 7 and 8");
        assertThat(fake.events).containsExactly("begun");
        assertThat(rollout.reason())
                .isEqualTo(
                        "the rollout of generation 8 begins with 1% of the exchanges by client, step 1 of 4, hold 10s;"
                                + " generation 7 serves the rest (a file was written)");
    }

    @Test
    void growsByEachStepAfterItsHoldAndIsPromotedInPlaceOfTheLast() {
        step(Verdict.PROMOTE);
        step(Verdict.PROMOTE);
        assertThat(rollout.share()).isEqualTo(0.5);
        step(Verdict.PROMOTE);
        assertThat(rollout.state()).isEqualTo(State.PROMOTING);

        assertThat(rollout.promoted()).isSameAs(fake.generation);

        assertThat(rollout.state()).isEqualTo(State.PROMOTED);
        assertThat(fake.calls)
                .containsExactly(
                        "judge 7 and 8", "split 10%", "count anew", "split 50%", "count anew", "promote", "end");
        assertThat(fake.events).containsExactly("begun", "step", "step", "promoted");
    }

    @Test
    void theHoldIsTheLeastTimeOfAStep() {
        fake.pass(9);
        look(Verdict.PROMOTE);
        assertThat(rollout.share()).isEqualTo(0.01);
        assertThat(rollout.status().holdsFor()).isEqualTo(Duration.ofSeconds(1));
        fake.pass(1);
        look(Verdict.PROMOTE);
        assertThat(rollout.share()).isEqualTo(0.1);
        assertThat(rollout.status().holdsFor()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void anOpenVerdictHoldsTheStepAndIsReportedOnce() {
        step(Verdict.HOLD);
        step(Verdict.HOLD);
        assertThat(rollout.share()).isEqualTo(0.01);
        assertThat(fake.events).containsExactly("begun", "held");
        look(Verdict.PROMOTE);
        assertThat(rollout.share()).isEqualTo(0.1);
        step(Verdict.HOLD);
        assertThat(fake.events).as("once per step").containsExactly("begun", "held", "step", "held");
    }

    @Test
    void anAbortTakesEffectDuringTheHold() {
        look(Verdict.ABORT);
        assertThat(rollout.state()).isEqualTo(State.ABORTED);
        assertThat(rollout.share()).isZero();
        assertThat(fake.calls).containsExactly("judge 7 and 8", "withdraw", "end");
        assertThat(fake.events).containsExactly("begun", "aborted");
        assertThat(rollout.reason())
                .contains(
                        "aborted at 1%",
                        "verdict abort", "generation 7 serves all exchanges", "until one of them changes");
    }

    @Test
    void aRolloutThatWaitsForItsPromotionIsStillJudged() {
        step(Verdict.PROMOTE);
        step(Verdict.PROMOTE);
        step(Verdict.PROMOTE);
        look(Verdict.ABORT);
        assertThat(rollout.state()).isEqualTo(State.ABORTED);
        assertThat(fake.calls).doesNotContain("promote");
    }

    @Test
    void aPausedRolloutDoesNotGrowUntilItIsResumed() {
        assertThat(rollout.pause()).isNull();
        step(Verdict.PROMOTE);
        assertThat(rollout.state()).isEqualTo(State.PAUSED);
        assertThat(rollout.share()).isEqualTo(0.01);
        assertThat(rollout.pause()).as("again").isNull();

        assertThat(rollout.resume()).isNull();
        look(Verdict.PROMOTE);
        assertThat(rollout.share()).isEqualTo(0.1);
        assertThat(fake.events).containsExactly("begun", "paused", "resumed", "step");
    }

    @Test
    void aPausedRolloutIsStillAborted() {
        rollout.pause();
        look(Verdict.ABORT);
        assertThat(rollout.state()).isEqualTo(State.ABORTED);
    }

    @Test
    void aPauseKeepsARolloutFromItsPromotion() {
        step(Verdict.PROMOTE);
        step(Verdict.PROMOTE);
        step(Verdict.PROMOTE);
        assertThat(rollout.pause()).isNull();
        assertThat(rollout.state()).isEqualTo(State.PAUSED);
        rollout.resume();
        look(Verdict.PROMOTE);
        assertThat(rollout.state()).isEqualTo(State.PROMOTING);
    }

    @Test
    void aSetShareContinuesWithTheNextLargerStep() {
        assertThat(rollout.set(0.25)).isNull();
        assertThat(rollout.share()).isEqualTo(0.25);
        assertThat(rollout.reason()).contains("set from 1% to 25%", "the next step is 50%");
        fake.pass(9);
        look(Verdict.PROMOTE);
        assertThat(rollout.share()).as("it has a hold of its own").isEqualTo(0.25);
        fake.pass(1);
        look(Verdict.PROMOTE);
        assertThat(rollout.share()).isEqualTo(0.5);
        assertThat(fake.calls).containsExactly("judge 7 and 8", "split 25%", "count anew", "split 50%", "count anew");
    }

    @Test
    void aShareBeyondTheLastStepIsFollowedByThePromotion() {
        rollout.set(0.75);
        assertThat(rollout.reason()).contains("the next step is the promotion");
        step(Verdict.PROMOTE);
        assertThat(rollout.state()).isEqualTo(State.PROMOTING);
        rollout.set(0.02);
        assertThat(rollout.state()).as("the share shrank before the promotion").isEqualTo(State.RUNNING);
        step(Verdict.PROMOTE);
        assertThat(rollout.share()).isEqualTo(0.1);
    }

    @Test
    void aSetShareOfAPausedRolloutStays() {
        rollout.pause();
        rollout.set(0.25);
        step(Verdict.PROMOTE);
        assertThat(rollout.state()).isEqualTo(State.PAUSED);
        assertThat(rollout.share()).isEqualTo(0.25);
    }

    @Test
    void anOperatorPromotesWhateverTheVerdictIs() {
        look(Verdict.HOLD);
        assertThat(rollout.order()).isNull();
        look(Verdict.ABORT);
        assertThat(rollout.state()).isEqualTo(State.PROMOTING);
        assertThat(rollout.pause()).as("too late").isEqualTo("no rollout is running");
        assertThat(rollout.stop()).isEqualTo("no rollout is running");
        rollout.promoted();
        assertThat(rollout.reason()).contains("ordered by an operator", "the verdict was hold");
    }

    @Test
    void anOperatorAborts() {
        assertThat(rollout.stop()).isNull();
        assertThat(rollout.state()).isEqualTo(State.ABORTED);
        assertThat(rollout.reason()).contains("ordered by an operator");
        assertThat(fake.calls).containsExactly("judge 7 and 8", "withdraw", "end");
    }

    @Test
    void anotherCandidateIsInThePlaceOfASupersededOne() {
        rollout.superseded("generation 9 replaces it");
        assertThat(rollout.state()).isEqualTo(State.SUPERSEDED);
        assertThat(fake.calls).as("it is no longer there").doesNotContain("withdraw");
    }

    @Test
    void aSwapAtOnceWithdrawsTheCandidate() {
        rollout.replaced("generation 9 is in force");
        assertThat(rollout.state()).isEqualTo(State.SUPERSEDED);
        assertThat(fake.calls).contains("withdraw");
    }

    @Test
    void renewedCertificatesBeginTheComparisonAnewWithinTheStep() {
        fake.pass(5);
        rollout.stableIs(9);
        assertThat(fake.calls).containsExactly("judge 7 and 8", "judge 9 and 8");
        assertThat(rollout.status().stable()).isEqualTo(9);
        assertThat(rollout.status().holdsFor()).isEqualTo(Duration.ofSeconds(5));
    }

    @ParameterizedTest
    @EnumSource(
            value = State.class,
            names = {"PROMOTED", "ABORTED", "SUPERSEDED"})
    void nothingChangesAfterTheEnd(State end) {
        switch (end) {
            case PROMOTED -> {
                rollout.order();
                rollout.promoted();
            }
            case ABORTED -> rollout.stop();
            default -> rollout.superseded("another");
        }
        int calls = fake.calls.size();
        step(Verdict.ABORT);
        assertThat(rollout.pause()).isNotNull();
        assertThat(rollout.resume()).isNotNull();
        assertThat(rollout.set(0.5)).isNotNull();
        assertThat(rollout.stop()).isNotNull();
        assertThat(rollout.order()).isNotNull();
        assertThatIllegalStateException().isThrownBy(() -> rollout.superseded("again"));
        assertThat(rollout.state()).isEqualTo(end);
        assertThat(fake.calls).hasSize(calls);
    }

    @Test
    void theStatusHasTheStepsAndTheVerdict() {
        look(Verdict.HOLD);
        Status status = rollout.status();
        assertThat(status.candidate()).isEqualTo(8);
        assertThat(status.step()).isEqualTo(1);
        assertThat(status.steps()).containsExactly(0.01, 0.1, 0.5, 1.0);
        assertThat(status.verdict()).isEqualTo("hold");
        assertThat(status.by()).isEqualTo("client");
        assertThat(status.why()).isEqualTo("a file was written");
        rollout.set(0.25);
        assertThat(rollout.status().step()).as("the last step up to its share").isEqualTo(2);
    }

    @Test
    void aRolloutWhoseFirstStepIsTheLastIsNone() {
        assertThat(FakeRollout.plan("100%").steps()).containsExactly(1.0);
    }
}
