package dev.lychgate.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.ByteSize;
import dev.lychgate.config.Percent;
import dev.lychgate.config.RetryBudgetConfig;
import dev.lychgate.config.RetryConfig;
import io.netty.handler.codec.http.HttpMethod;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The start of a second attempt beside a slow one. */
class HedgingTest {
    private static final long MS = 1_000_000;

    static RetryConfig config(boolean idempotent, RetryConfig.Hedge hedge) {
        return new RetryConfig(
                2,
                List.of(),
                Duration.ZERO,
                RetryConfig.Backoff.DEFAULT,
                Duration.ZERO,
                ByteSize.ofKiB(64),
                idempotent,
                hedge);
    }

    private static Hedging hedging(boolean idempotent, RetryConfig.Hedge hedge) {
        RetryConfig config = config(idempotent, hedge);
        return Hedging.of(config, RetryPolicy.of(config));
    }

    private static RetryBudget.LoopView budget(int minimum) {
        return new RetryBudget(new RetryBudgetConfig(new Percent(0), minimum), 1).onLoop(0);
    }

    @ParameterizedTest
    @CsvSource({
        "false, GET,  1, true,  false, 1, RETRY",
        "false, QUERY, 1, true, false, 1, RETRY",
        "false, GET,  2, true,  false, 1, ATTEMPTS_USED",
        "false, GET,  1, false, false, 1, BODY_GONE",
        "false, GET,  1, true,  true,  1, COMMITTED",
        "false, GET,  1, true,  false, 0, BUDGET_SPENT",
        "false, POST, 1, true,  false, 1, NOT_IDEMPOTENT",
        "true,  POST, 1, true,  false, 1, RETRY"
    })
    void onlyWhatMayBeDoneTwiceWithinAttemptsAndBudget(
            boolean idempotent,
            String method,
            int attempts,
            boolean whole,
            boolean committed,
            int minimum,
            RetryDecision decision) {
        Hedging hedging = hedging(idempotent, new RetryConfig.Hedge(Duration.ofMillis(50), 0));

        assertThat(hedging.decide(HttpMethod.valueOf(method), attempts, whole, committed, budget(minimum), 0))
                .isEqualTo(decision);
    }

    @Test
    void theDelayIsFixedOrAPercentileOfTheDurations() {
        LatencyQuantile latency = new LatencyQuantile();
        Hedging byPercentile = hedging(false, new RetryConfig.Hedge(null, 95));
        assertThat(byPercentile.delay(latency)).isEqualTo(-1);
        for (int i = 0; i < 1000; i++) {
            latency.record(i < 950 ? 10 * MS : 1000 * MS, 0);
        }

        assertThat(byPercentile.delay(latency)).isBetween(10 * MS, 13 * MS);
        assertThat(hedging(false, new RetryConfig.Hedge(Duration.ofMillis(50), 0))
                        .delay(latency))
                .isEqualTo(50 * MS);
    }

    @Test
    void aRouteThatDoesNotAskForItHasNone() {
        assertThat(Hedging.of(null, RetryPolicy.NONE)).isSameAs(Hedging.NONE);
        assertThat(Hedging.of(RetryConfig.DEFAULT, RetryPolicy.of(RetryConfig.DEFAULT)))
                .isSameAs(Hedging.NONE);
        assertThat(Hedging.NONE.delay(new LatencyQuantile())).isEqualTo(-1);
    }
}
