package dev.lychgate.resilience;

import static dev.lychgate.resilience.Simulation.MS;
import static dev.lychgate.resilience.Simulation.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.RetryBudgetConfig;
import dev.lychgate.config.RetryConfig;
import io.netty.handler.codec.http.HttpMethod;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The gain of hedging at the 95th percentile if some responses are slow, and its costs if all of them are. */
@Tag("slow")
class HedgingSimulationTest {
    private static final Hedging AT_THE_95TH = hedging(new RetryConfig.Hedge(null, 95));
    private static final Hedging AFTER_50_MS = hedging(new RetryConfig.Hedge(Duration.ofMillis(50), 0));

    private final Simulation time = new Simulation();
    private final SplittableRandom random = new SplittableRandom(11);
    private final LatencyQuantile latency = new LatencyQuantile();
    private final RetryBudget budget = new RetryBudget(RetryBudgetConfig.DEFAULT, 1);
    private double slowShare = 0.03;
    private int requests;
    private int attempts;
    private int slowRequests;

    private final class Request {
        private final long began = time.now();
        private boolean done;

        void attempt() {
            attempts++;
            long takes = random.nextDouble() < slowShare ? SECOND : 8 * MS + random.nextLong(4 * MS);
            long sent = time.now();
            time.after(takes, () -> {
                if (!done) {
                    done = true;
                    // The gateway's view: from the sending of the winning attempt.
                    latency.record(time.now() - sent, time.now());
                    slowRequests += time.now() - began > 100 * MS ? 1 : 0;
                }
            });
        }
    }

    private static Hedging hedging(RetryConfig.Hedge hedge) {
        RetryConfig config = HedgingTest.config(false, hedge);
        return Hedging.of(config, RetryPolicy.of(config));
    }

    private void serve(Hedging hedging, long seconds) {
        RetryBudget.LoopView loop = budget.onLoop(0);
        time.every(500, time.now() + seconds * SECOND, () -> {
            Request request = new Request();
            requests++;
            loop.sent(time.now());
            request.attempt();
            long delay = hedging.delay(latency);
            if (delay >= 0) {
                time.after(delay, () -> {
                    if (!request.done
                            && hedging.decide(HttpMethod.GET, 1, true, false, loop, time.now())
                                    == RetryDecision.RETRY) {
                        request.attempt();
                    }
                });
            }
        });
        time.runUntil(time.now() + (seconds + 2) * SECOND);
    }

    @Test
    void threeOfAHundredRequestsWaitWithoutHedging() {
        serve(Hedging.NONE, 60);

        assertThat(slowRequests / (double) requests).isBetween(0.025, 0.035);
    }

    @Test
    void fewRequestsWaitOrAreSentTwiceWithHedging() {
        serve(AT_THE_95TH, 60);

        assertThat(slowRequests / (double) requests).isLessThan(0.003);
        assertThat(attempts / (double) requests).isLessThan(1.08);
    }

    @Test
    void theBudgetBoundsHedgingIfAllOriginsAreSlow() {
        slowShare = 1;
        serve(AFTER_50_MS, 60);

        assertThat(attempts / (double) requests).isBetween(1.15, 1.2);
    }

    @Test
    void theDelayAdaptsIfAllOriginsAreSlow() {
        serve(AT_THE_95TH, 20);
        requests = 0;
        attempts = 0;
        slowShare = 1;
        serve(AT_THE_95TH, 60);

        assertThat(attempts / (double) requests).isLessThan(1.05);
    }
}
