package dev.lychgate.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class GuardedObserversTest {
    @Test
    void isolatesAFailingObserverFromExchangesAndOtherObservers() throws Exception {
        AtomicInteger heard = new AtomicInteger();
        ExchangeObserver failing = exchange -> {
            throw new IllegalStateException("on purpose");
        };
        ExchangeObserver broken = exchange -> {
            throw new NoSuchMethodError("on purpose");
        };
        GuardedObservers observers =
                new GuardedObservers(List.of(failing, broken, exchange -> heard.incrementAndGet()));
        try (ScriptedOrigin origin = ScriptedOrigin.answering((request, c) -> c.send(Responses.ok("hello")));
                Gateway gateway = Gateway.start(Gateways.to(origin.port()), FilterSet.EMPTY, observers);
                RawClient client = RawClient.connect(gateway.address("main"))) {
            assertThat(client.get("/api/1").body()).isEqualTo("hello");
            assertThat(client.get("/api/2").body()).isEqualTo("hello");
            assertThat(client.get("/nowhere").status()).isEqualTo(404);
        }
        assertThat(heard).hasValue(3);
        assertThat(observers.failures()).isEqualTo(6);
    }
}
