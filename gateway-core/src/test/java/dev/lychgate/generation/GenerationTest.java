package dev.lychgate.generation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.AccessLogConfig;
import dev.lychgate.config.BindAddress;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.RewriteConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.RouteTimeouts;
import dev.lychgate.config.Transport;
import dev.lychgate.route.Route;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class GenerationTest {
    @Test
    void findsEveryRouteByItsIdAndNoOther() {
        Generation generation = Generation.first(config("a", "b", "c"), FilterSet.EMPTY, 1);
        for (Route route : generation.routes().routes()) {
            assertThat(generation.route(route.id())).isSameAs(route);
        }
        assertThat(generation.route("d")).isNull();
        assertThat(generation.next(config("d"), FilterSet.EMPTY, 1).route("a")).isNull();
    }

    private static GatewayConfig config(String... ids) {
        return new GatewayConfig(
                1,
                Transport.NIO,
                Duration.ZERO,
                List.of(ListenerConfig.of("test", new BindAddress("127.0.0.1", 0))),
                Stream.of(ids)
                        .map(id -> new RouteConfig(
                                id,
                                0,
                                MatchConfig.path("/" + id),
                                RewriteConfig.NONE,
                                new RouteAction.Respond(200, Map.of(), id),
                                RouteTimeouts.UNSET))
                        .toList(),
                Map.of(),
                null,
                AccessLogConfig.DEFAULT);
    }
}
