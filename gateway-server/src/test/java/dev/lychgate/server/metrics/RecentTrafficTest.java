package dev.lychgate.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.exchange.Exchange;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.loop.Loop;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.util.List;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class RecentTrafficTest {
    /** Just above one of the bounds in Prometheus, and far below the next. */
    private static final long DELAY_MILLIS = 520;

    private final NavigableSet<Long> durations = new ConcurrentSkipListSet<>();

    @Test
    void reportsNoPercentileAboveTheLongestDuration() throws Exception {
        try (GatewayMetrics metrics = new GatewayMetrics();
                ScriptedOrigin origin = ScriptedOrigin.answering((request, c) -> {
                    TimeUnit.MILLISECONDS.sleep(DELAY_MILLIS);
                    c.send(Responses.ok("late"));
                });
                Gateway gateway = Gateway.start(
                        Gateways.to(origin.port()),
                        FilterSet.EMPTY,
                        new GuardedObservers(List.of(metrics, new DurationsSeen())));
                RawClient client = RawClient.connect(gateway.address("main"))) {
            RecentTraffic traffic = new RecentTraffic(metrics);
            traffic.look().get(10, TimeUnit.SECONDS);
            client.get("/api/a");
            client.get("/api/b");
            client.get("/api/c");
            RecentTraffic.OfRoute api = traffic.look().get(10, TimeUnit.SECONDS).routes().stream()
                    .filter(route -> route.route().equals("api"))
                    .findFirst()
                    .orElseThrow();

            assertThat(durations).hasSize(3);
            double shortest = durations.first() / 1e9;
            double longest = durations.last() / 1e9;
            assertThat(api.p99()).isLessThanOrEqualTo(longest).isGreaterThan(0.968 * longest);
            assertThat(api.p50()).isBetween(0.968 * shortest, longest);
        }
    }

    @Test
    void addsTheTrafficOfAllRoutes() throws Exception {
        try (GatewayMetrics metrics = new GatewayMetrics();
                ScriptedOrigin origin = ScriptedOrigin.answering((request, c) -> c.send(Responses.of(503, "busy")));
                Gateway gateway = Gateway.start(
                        Gateways.to(origin.port()),
                        FilterSet.EMPTY,
                        new GuardedObservers(List.of(metrics, new DurationsSeen())));
                RawClient client = RawClient.connect(gateway.address("main"))) {
            RecentTraffic traffic = RecentTraffic.together(metrics);
            assertThat(traffic.look().get(10, TimeUnit.SECONDS).routes()).allMatch(all -> all.total() == 0);
            client.get("/api/a");
            client.get("/api/b");
            assertThat(client.get("/elsewhere").status()).isEqualTo(404);

            assertThat(traffic.look().get(10, TimeUnit.SECONDS).routes())
                    .singleElement()
                    .satisfies(all -> {
                        assertThat(all.route()).isEqualTo("*");
                        assertThat(all.recent()).isEqualTo(3);
                        assertThat(all.errors()).isEqualTo(2);
                    });
        }
    }

    private final class DurationsSeen implements ExchangeObserver {
        @Override
        public ExchangeObserver onLoop(Loop loop) {
            return this;
        }

        @Override
        public void onClosed(Exchange exchange) {
            durations.add(exchange.record().timeline().total());
        }
    }
}
