package dev.lychgate.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.upstream.EndpointLoad.End;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The effect of failures on the default algorithm; {@link LoopsTest} and {@link LotTest} test its evenness. */
class LeastRequestsTest {
    private final Fleet fleet = Fleet.of(5);
    private final LoopBalancers loop = fleet.loop(0, 1);
    private final LoadBalancer balancer = loop.of(fleet.upstream().whole());

    private void end(int endpoint, End how) {
        EndpointLoad load = loop.load(fleet.endpoint(endpoint));
        load.begin();
        load.end(1, how, fleet.now());
    }

    private long chosen(int endpoint) {
        long times = 0;
        for (int i = 0; i < 1_000; i++) {
            times += fleet.numberOf(Some.request(balancer, Some.client(i))) == endpoint ? 1 : 0;
        }
        return times;
    }

    @Test
    void aRecentlyFailedEndpointIsNotPreferredForBeingIdle() {
        for (int i = 1; i < 5; i++) {
            loop.load(fleet.endpoint(i)).begin();
        }
        assertThat(chosen(0)).as("idle beside busy ones").isBetween(300L, 500L);
        end(0, End.FAILED);
        assertThat(chosen(0)).isZero();
    }

    @Test
    void aFailedEndpointIsTriedAfterASecondAndRecoversWithItsFirstResponse() {
        end(0, End.FAILED);
        fleet.pass(Duration.ofMillis(999));
        assertThat(chosen(0)).isZero();
        fleet.pass(Duration.ofMillis(1));
        assertThat(chosen(0)).isBetween(120L, 280L);

        end(0, End.FAILED);
        end(0, End.ABANDONED);
        assertThat(chosen(0)).as("a disconnected client has no effect").isZero();
        end(0, End.ANSWERED);
        assertThat(chosen(0)).isBetween(120L, 280L);
    }

    @Test
    void treatsAllEndpointsEquallyIfAllHaveFailed() {
        for (int i = 0; i < 5; i++) {
            end(i, End.FAILED);
        }
        for (int i = 0; i < 5; i++) {
            assertThat(chosen(i)).isBetween(120L, 280L);
        }
    }
}
