package dev.lychgate.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.AccessLogConfig;
import dev.lychgate.config.BindAddress;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.OnFailure;
import dev.lychgate.config.OverloadConfig;
import dev.lychgate.config.Percent;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.RouteResilience;
import dev.lychgate.config.Transport;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.exchange.Exchange;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.generation.OverloadPolicy;
import dev.lychgate.loop.Loop;
import dev.lychgate.resilience.OverloadLadder;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A gateway with a delayed event loop sheds requests of low priority, reports it, and recovers. */
@Tag("slow")
class SheddingTest {
    private static final ScheduledExecutorService THREAD = new DefaultEventLoop();
    private static final long AT_MOST = TimeUnit.SECONDS.toNanos(30);

    @AfterAll
    static void stop() {
        THREAD.shutdownNow();
    }

    /** Occupies the loop repeatedly, with time for requests in between. */
    private static final class Burden implements ExchangeObserver {
        private static final long HELD = TimeUnit.MILLISECONDS.toNanos(600);

        private final GatewayMetrics metrics;
        private volatile @Nullable EventLoop loop;
        private volatile boolean there = true;

        Burden(GatewayMetrics metrics) {
            this.metrics = metrics;
        }

        @Override
        public ExchangeObserver onLoop(Loop of) {
            loop = of.eventLoop();
            return metrics.onLoop(of);
        }

        @Override
        public void onClosed(Exchange exchange) {
            throw new UnsupportedOperationException("use the observer of a loop");
        }

        void hold() {
            Objects.requireNonNull(loop).execute(this::spin);
        }

        private void spin() {
            long began = System.nanoTime();
            boolean busy = true;
            // Busy instead of blocked, because the check for blocked loops fails any wait at once.
            while (busy) {
                busy = there && System.nanoTime() - began < HELD;
            }
            if (there) {
                // As a new task, it would continue before the loop reads.
                Objects.requireNonNull(loop).schedule(this::spin, 1, TimeUnit.MILLISECONDS);
            }
        }

        void lift() {
            there = false;
        }
    }

    private static RouteConfig route(String id, int priority) {
        return RouteConfig.proxy(id, MatchConfig.path("/" + id), "origin")
                .withResilience(new RouteResilience(null, null, priority, OnFailure.FAIL_FAST));
    }

    private static GatewayConfig config(int port) {
        return new GatewayConfig(
                        1,
                        Transport.AUTO,
                        GatewayConfig.DEFAULT_DRAIN,
                        List.of(ListenerConfig.of("main", new BindAddress("127.0.0.1", 0))),
                        List.of(route("low", 0), route("high", 9)),
                        Map.of("origin", UpstreamConfig.of("origin", new EndpointConfig("127.0.0.1", port))),
                        null,
                        AccessLogConfig.DEFAULT)
                .withOverload(new OverloadConfig(Duration.ofMillis(200), new Percent(99), new Percent(99)));
    }

    private static RawMessage until(RawClient client, int status) throws Exception {
        long began = System.nanoTime();
        RawMessage response = client.get("/low");
        while (response.status() != status && System.nanoTime() - began < AT_MOST) {
            Thread.sleep(50);
            response = client.get("/low");
        }
        assertThat(response.status()).isEqualTo(status);
        return response;
    }

    @Test
    void refusesLowPrioritiesWhileItsLoopIsLateAndRecovers() throws Exception {
        GatewayMetrics metrics = new GatewayMetrics();
        Burden burden = new Burden(metrics);
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("x")));
                Gateway gateway = Gateway.start(config(origin.port()), FilterSet.EMPTY, burden);
                RawClient low = RawClient.connect(gateway.address("main"));
                RawClient high = RawClient.connect(gateway.address("main"))) {
            metrics.bind(gateway);
            assertThat(low.get("/low").status()).isEqualTo(200);
            assertThat(shed(metrics)).isZero();
            burden.hold();
            try {
                RawMessage refused = until(low, 503);
                assertThat(refused.body()).contains("urn:lychgate:problem:overloaded");
                assertThat(refused.value("retry-after")).hasValue("1");
                assertThat(high.get("/high").status()).isEqualTo(200);
                assertThat(low.get("/low").status()).isEqualTo(503);
                OverloadPolicy policy =
                        Objects.requireNonNull(gateway.generation().overload());
                OverloadLadder ladder = Objects.requireNonNull(policy.ladders().get("origin"));
                assertThat(policy.position(ladder).reason()).isEqualTo(ErrorKind.OVERLOADED);
                assertThat(ladder.reached(OverloadLadder.Rung.SHED)).isOne();
                assertThat(high.get("/high").status()).isEqualTo(200);
            } finally {
                burden.lift();
            }
            assertThat(shed(metrics)).isEqualTo(2);
            until(low, 200);
            assertThat(low.get("/low").status()).isEqualTo(200);
        }
    }

    private static double shed(GatewayMetrics metrics) throws Exception {
        PrometheusText text = PrometheusText.read(
                metrics.scrape(MetricsFormat.PROMETHEUS, THREAD).get(10, TimeUnit.SECONDS));
        assertThat(text.has("lychgate_shed_total", "route", "high"))
                .as("never shed")
                .isFalse();
        return text.value("lychgate_shed_total", "route", "low", "priority", "0");
    }
}
