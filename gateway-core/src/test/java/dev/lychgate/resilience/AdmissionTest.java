package dev.lychgate.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.BulkheadConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Retry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An attempt passes its guards together, and each receives one report of the end. */
class AdmissionTest {
    private final List<String> calls = new ArrayList<>();
    private final AttemptTally tally = new AttemptTally(1);
    private final Admission admission = new Admission(tally.onLoop(0));

    private Guard guard(String name, long response) {
        return new Guard() {
            @Override
            public long tryAcquire(long now, LimitShare share) {
                calls.add(name + "?");
                return response;
            }

            @Override
            public void release(long ticket, Ending ending, long latency, long now) {
                calls.add(name + " " + ticket + " " + ending + " " + latency);
            }

            @Override
            public ErrorKind kind() {
                return ErrorKind.BULKHEAD_FULL;
            }
        };
    }

    @Test
    void acquiresInOrderAndReportsInReverse() {
        assertThat(admission.enter(Guards.of(List.of(guard("a", 7), guard("b", 8))), 100))
                .isTrue();
        assertThat(tally.underWay()).isOne();
        admission.leave(Ending.SUCCESS, 130, 200);

        assertThat(calls).containsExactly("a?", "b?", "b 8 SUCCESS 30", "a 7 SUCCESS 30");
        assertThat(tally.underWay()).isZero();
        assertThat(tally.ended(Ending.SUCCESS)).isOne();
    }

    @Test
    void grantedGuardsReceiveIgnoredIfALaterOneRefuses() {
        long refusal = Guard.refusal(2_500_000_000L);
        assertThat(admission.enter(Guards.of(List.of(guard("a", 7), guard("b", refusal), guard("c", 0))), 0))
                .isFalse();

        assertThat(calls).containsExactly("a?", "b?", "a 7 IGNORED 0");
        assertThat(admission.refusedWith()).isEqualTo(ErrorKind.BULKHEAD_FULL);
        assertThat(admission.retryAfterSeconds()).isEqualTo(3);
        assertThat(tally.refused(ErrorKind.BULKHEAD_FULL)).isOne();
        assertThat(tally.underWay()).isZero();
    }

    @Test
    void eachGuardReceivesTheShareOfTheRequest() {
        Guard bulkhead = new Bulkhead(new BulkheadConfig(2), 1).forLoop();
        Guards guards = Guards.of(List.of(guard("a", 0), bulkhead));
        LimitShare half = new LimitShare(0.5, false);
        assertThat(admission.enter(guards, half, 0)).isTrue();

        assertThat(new Admission(null).enter(guards, half, 0)).isFalse();
        assertThat(new Admission(null).enter(guards, 0)).as("all places").isTrue();
        assertThat(calls).containsExactly("a?", "a?", "a 0 IGNORED 0", "a?");
    }

    @Test
    void theFirstEndingCountsAndLaterOnesDoNot() {
        admission.enter(Guards.of(List.of(guard("a", 7))), 0);
        admission.leave(Ending.FAILURE, 5);
        admission.leave(Ending.SUCCESS, 9);

        assertThat(calls).containsExactly("a?", "a 7 FAILURE 5");
    }

    @Test
    void aReportWithoutAPermitHasNoEffect() {
        admission.leave(Ending.SUCCESS, 5);
        admission.enter(Guards.of(List.of(guard("a", -1))), 0);
        admission.leave(Ending.SUCCESS, 5);

        assertThat(calls).containsExactly("a?");
    }

    @Test
    void mayBeUsedForOneAttemptAfterAnother() {
        admission.enter(Guards.of(List.of(guard("a", 1))), 0);
        admission.leave(Ending.FAILURE, 1);
        admission.enter(Guards.of(List.of(guard("b", 2), guard("c", 3))), 2);
        assertThatThrownBy(() -> admission.enter(Guards.NONE, 2)).isInstanceOf(IllegalStateException.class);
        admission.leave(Ending.SUCCESS, 4);

        assertThat(calls).containsExactly("a?", "a 1 FAILURE 1", "b?", "c?", "c 3 SUCCESS 2", "b 2 SUCCESS 2");
    }

    @ParameterizedTest
    @CsvSource({"200, SUCCESS", "404, SUCCESS", "429, SUCCESS", "499, SUCCESS", "500, FAILURE", "503, FAILURE"})
    void anAnswerIsAFailureFrom500On(int status, Ending ending) {
        assertThat(Ending.ofStatus(status)).isEqualTo(ending);
    }

    @Test
    void onlyFaultsOfTheOriginAreFailures() {
        assertThat(Ending.of(GatewayError.upstream(ErrorKind.ORIGIN_RESET, Retry.NEVER, "")))
                .isEqualTo(Ending.FAILURE);
        assertThat(Ending.of(GatewayError.upstream(ErrorKind.RESPONSE_TIMEOUT, Retry.NEVER, "")))
                .isEqualTo(Ending.TIMEOUT);
        assertThat(Ending.of(GatewayError.downstream(ErrorKind.CLIENT_GONE, "")))
                .isEqualTo(Ending.IGNORED);
        assertThat(Ending.of(GatewayError.local(ErrorKind.POOL_EXHAUSTED, ""))).isEqualTo(Ending.IGNORED);
    }
}
