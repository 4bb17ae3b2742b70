package dev.lychgate.upstream;

import static dev.lychgate.upstream.EndpointLoad.End.ABANDONED;
import static dev.lychgate.upstream.EndpointLoad.End.ANSWERED;
import static dev.lychgate.upstream.EndpointLoad.End.FAILED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lychgate.config.Algorithm;
import dev.lychgate.config.BalanceConfig;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LeastResponseTimeTest {
    private static final long MS = Duration.ofMillis(1).toNanos();

    private final Fleet fleet = Fleet.of(2).balance(BalanceConfig.of(Algorithm.LEAST_RESPONSE_TIME));
    private final LoopBalancers loop = fleet.loop(0, 21);

    private void ended(int endpoint, long millis, EndpointLoad.End how) {
        EndpointLoad load = loop.load(fleet.endpoint(endpoint));
        load.begin();
        load.end(millis * MS, how, fleet.now());
    }

    private long chosen(int endpoint) {
        long times = 0;
        for (int i = 0; i < 1000; i++) {
            times += fleet.endpoint(endpoint)
                            == loop.of(fleet.upstream().whole()).choose(Some.client(i))
                    ? 1
                    : 0;
        }
        return times;
    }

    @Test
    void theFasterEndpointIsChosen() {
        ended(0, 10, ANSWERED);
        ended(1, 12, ANSWERED);
        assertThat(chosen(0)).isEqualTo(1000);
    }

    @Test
    void aQueueMakesTheFasterEndpointSlow() {
        ended(0, 10, ANSWERED);
        ended(1, 15, ANSWERED);
        loop.load(fleet.endpoint(0)).begin();
        assertThat(chosen(1)).isEqualTo(1000);
    }

    @Test
    void oneSlowResponseIsEnoughToAvoidAnEndpointForSomeTime() {
        for (int i = 0; i < 100; i++) {
            ended(0, 10, ANSWERED);
        }
        ended(1, 11, ANSWERED);
        ended(0, 1000, ANSWERED);
        assertThat(chosen(0)).isZero();
        for (int i = 0; i < 60; i++) {
            fleet.pass(Duration.ofSeconds(1));
            ended(1, 11, ANSWERED);
        }
        assertThat(chosen(0)).isEqualTo(1000);
    }

    @Test
    void refusingAtOnceIsNotFast() {
        ended(0, 0, FAILED);
        ended(1, 500, ANSWERED);
        assertThat(chosen(1)).isEqualTo(1000);
    }

    @Test
    void anEndpointWhoseClientsLeaveIsNotFast() {
        ended(0, 800, ABANDONED);
        ended(1, 500, ANSWERED);
        assertThat(chosen(1)).isEqualTo(1000);
        // A client that disconnects soon is no sign of a fast endpoint.
        ended(0, 1, ABANDONED);
        assertThat(chosen(1)).isEqualTo(1000);
    }

    @Test
    void anEndpointWithoutAResponseGetsOneRequestUntilItResponds() {
        ended(1, 500, ANSWERED);
        assertThat(chosen(0)).isEqualTo(1000);
        loop.load(fleet.endpoint(0)).begin();
        assertThat(chosen(1)).isEqualTo(1000);
    }

    @Test
    void withEqualTimesWeightsApply() {
        Fleet weighted = Fleet.weights(3, 1).balance(BalanceConfig.of(Algorithm.LEAST_RESPONSE_TIME));
        ChiSquare.assertFits(weighted.choose(20_000, 22), 3, 1);
    }

    @Test
    void theAverageComesDownByAFactorOfEInTenSeconds() {
        EndpointLoad load = new UpstreamLoad().of(fleet.endpoint(0));
        load.begin();
        load.end(100 * MS, ANSWERED, 0);
        assertThat(load.cost(Duration.ofSeconds(10).toNanos())).isEqualTo(100 * MS / Math.E, within(1.0));
    }
}
