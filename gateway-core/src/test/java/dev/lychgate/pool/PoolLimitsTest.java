package dev.lychgate.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.UpstreamProtocol;
import dev.lychgate.loop.Loop;
import dev.lychgate.loop.Turn;
import dev.lychgate.origin.Destination;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The share of each of two event loops in a limit. */
class PoolLimitsTest {
    private final EmbeddedChannel thread = new EmbeddedChannel();
    private final Loop first = new Loop(thread.eventLoop(), 0, Turn.unlimited());
    private final Loop second = new Loop(thread.eventLoop(), 1, Turn.unlimited());
    private final PoolLimits limits = new PoolLimits(2);

    @AfterEach
    void endThread() {
        thread.finishAndReleaseAll();
    }

    private static PoolKey key(int connections, UpstreamProtocol protocol) {
        Destination origin = Destination.plain(new EndpointAddress("10.0.0.1", 80));
        return new PoolKey("origin", origin, PoolStage.limits(connections, 10).speaking(protocol));
    }

    private int connections(Loop loop, PoolKey key) {
        Permits permits = limits.connections(key, loop);
        int most = 0;
        while (permits.tryAcquire()) {
            most++;
        }
        return most;
    }

    @Test
    void eachLoopHasItsShare() {
        PoolKey key = key(8, UpstreamProtocol.HTTP_1_1);
        assertThat(connections(first, key)).isEqualTo(4);
        assertThat(connections(second, key)).isEqualTo(4);
    }

    @Test
    void dividesAPoolThatIsTooSmallForAllLoops() {
        PoolKey key = key(1, UpstreamProtocol.HTTP_1_1);
        assertThat(connections(second, key)).isEqualTo(1);
        assertThat(connections(first, key)).isZero();
    }

    /** The streams of one loop's connection are of no use to requests on another. */
    @Test
    void eachLoopHasAtLeastOneMultiplexedConnection() {
        PoolKey key = key(1, UpstreamProtocol.H2);
        assertThat(connections(first, key)).isEqualTo(1);
        assertThat(connections(second, key)).isEqualTo(1);
    }
}
