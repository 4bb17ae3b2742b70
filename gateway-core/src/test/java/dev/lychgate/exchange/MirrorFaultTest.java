package dev.lychgate.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.blocking.BlockingThreads;
import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.AccessLogConfig;
import dev.lychgate.config.BindAddress;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.MirrorConfig;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.Transport;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.exchange.call.MirrorEnd;
import dev.lychgate.exchange.call.MirrorOutcome;
import dev.lychgate.generation.Generation;
import dev.lychgate.generation.Traffic;
import dev.lychgate.http.RequestHead;
import dev.lychgate.loop.MemoryBudget;
import dev.lychgate.loop.Turn;
import dev.lychgate.loop.VirtualLoop;
import dev.lychgate.origin.Connector;
import dev.lychgate.pool.LoopPools;
import dev.lychgate.pool.PoolLimits;
import dev.lychgate.testing.FakeOrigins;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Internal errors in copies of requests. */
class MirrorFaultTest {
    private final EmbeddedChannel thread = new EmbeddedChannel();
    private final Turn turn = new Turn(10);
    private final VirtualLoop loop = new VirtualLoop(thread.eventLoop(), turn);
    private final FakeOrigins origins = new FakeOrigins(loop);
    private final List<MirrorOutcome> copies = new ArrayList<>();

    private Worker worker() {
        Traffic traffic = Traffic.of(Generation.first(config(), FilterSet.EMPTY, 1));
        Connector connector = (to, timeout, owner, outcome) -> {
            if (to.address().port() == 81) {
                throw new IllegalStateException("internal error of this test");
            }
            origins.connect(to, timeout, owner, outcome);
        };
        LoopPools pools = new LoopPools(loop, connector, new PoolLimits(1));
        return new Worker(loop, pools, () -> traffic, new Copies(), new BlockingThreads());
    }

    private static GatewayConfig config() {
        return new GatewayConfig(
                1,
                Transport.NIO,
                Duration.ZERO,
                List.of(ListenerConfig.of("test", new BindAddress("127.0.0.1", 0))),
                List.of(RouteConfig.proxy("api", MatchConfig.path("/**"), "origin")
                        .withMirror(MirrorConfig.to("shadow").withConcurrent(1))),
                Map.of(
                        "origin", UpstreamConfig.of("origin", new EndpointConfig("10.0.0.1", 80)),
                        "shadow", UpstreamConfig.of("shadow", new EndpointConfig("10.0.0.2", 81))),
                null,
                AccessLogConfig.DEFAULT);
    }

    private final class Copies implements ExchangeObserver {
        @Override
        public void onMirrored(MirrorEnd copy) {
            copies.add(copy.outcome());
        }

        @Override
        public void onClosed(Exchange exchange) {}
    }

    @Test
    void doNotReachTheExchangeAndReturnThePermitAndTheMemory() {
        Worker worker = worker();
        long before = MemoryBudget.OF_PROCESS.held();
        for (int i = 0; i < 3; i++) {
            FakeClient client = new FakeClient();
            Exchange exchange = new Exchange(worker, client);
            exchange.begin(new RequestHead(HttpMethod.GET, false, "/", null, "a.example", new DefaultHttpHeaders()));
            exchange.onDownstreamReadComplete();
            if (i == 0) {
                origins.accept();
            }
            turn.end();
            origins.says("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
            assertThat(client.seen()).contains("200", "end");
        }
        assertThat(copies).containsExactly(MirrorOutcome.FAILED, MirrorOutcome.FAILED, MirrorOutcome.FAILED);
        assertThat(MemoryBudget.OF_PROCESS.held()).isEqualTo(before);
        origins.close();
        thread.finishAndReleaseAll();
    }
}
