package dev.lychgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.PoolConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.Transport;
import dev.lychgate.listener.Listener;
import dev.lychgate.listener.ListenerCounters;
import dev.lychgate.testing.Eventually;
import dev.lychgate.testing.RawClient;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A listener at its limit of connections: further ones wait in the kernel and are served as soon as one closes. */
@ParameterizedClass
@EnumSource(names = {"AUTO", "NIO"})
@Tag("slow")
class ConnectionLimitTest {
    @Parameter
    @SuppressWarnings("NullAway.Init") // by JUnit
    Transport transport;

    @Test
    void acceptingPausesAtTheLimitAndResumesBelowIt() throws Exception {
        try (Running gateway = new Setup()
                        .transport(transport)
                        .workers(1)
                        .connections(2)
                        .route("x", "/", new RouteAction.Respond(200, Map.of(), "x"))
                        .start();
                RawClient steady = gateway.client()) {
            ListenerCounters counters = gateway.gateway().listeners().get(0).counters();
            assertThat(steady.get("/").body()).isEqualTo("x");
            for (int round = 1; round <= 20; round++) {
                try (RawClient leaving = served(gateway);
                        RawClient waiting = gateway.client()) {
                    waiting.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                    waiting.expectSilence(Duration.ofMillis(10));
                    assertThat(counters.open()).isEqualTo(2);
                    leaving.halfClose();
                    assertThat(waiting.readResponse().body()).isEqualTo("x");
                }
                Eventually.eventually(() -> assertThat(counters.open()).isEqualTo(1));
                assertThat(steady.get("/").body()).isEqualTo("x");
            }
            assertThat(counters.acceptPauses()).isGreaterThanOrEqualTo(20);
        }
    }

    private static RawClient served(Running gateway) throws Exception {
        RawClient client = gateway.client();
        assertThat(client.get("/").body()).isEqualTo("x");
        return client;
    }

    @Test
    void aChangedLimitHoldsForConnectionsThatWaitToo() throws Exception {
        try (Running gateway = new Setup()
                        .transport(transport)
                        .workers(1)
                        .connections(2)
                        .route("x", "/", new RouteAction.Respond(200, Map.of(), "x"))
                        .start();
                RawClient first = served(gateway);
                RawClient second = served(gateway);
                RawClient waiting = gateway.client()) {
            Listener listener = gateway.gateway().listeners().get(0);
            waiting.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            waiting.expectSilence(Duration.ofMillis(10));
            listener.connectionLimit(3);
            assertThat(waiting.readResponse().body()).isEqualTo("x");
            listener.connectionLimit(1);
            assertThat(first.get("/").body()).isEqualTo("x");
            try (RawClient late = gateway.client()) {
                late.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                first.halfClose();
                second.halfClose();
                Eventually.eventually(
                        () -> assertThat(listener.counters().open()).isEqualTo(1));
                late.expectSilence(Duration.ofMillis(10));
                waiting.halfClose();
                assertThat(late.readResponse().body()).isEqualTo("x");
            }
        }
    }

    @Test
    void aReloadDividesTheFilesOfTheProcessAgain() throws Exception {
        // More than any process may open.
        Setup asksForAll = Setup.to(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1))
                .transport(transport)
                .workers(1)
                .connections(Integer.MAX_VALUE)
                .pool(pool(1));
        try (Running gateway = asksForAll.start()) {
            Listener listener = gateway.gateway().listeners().get(0);
            int before = listener.connectionLimit();
            assertThat(before).isLessThan(Integer.MAX_VALUE);
            gateway.gateway().apply(asksForAll.pool(pool(1_000_000)).config());
            assertThat(listener.connectionLimit()).isLessThan(before);
            gateway.gateway().apply(asksForAll.pool(pool(1)).config());
            assertThat(listener.connectionLimit()).isEqualTo(before);
        }
    }

    private static PoolConfig pool(int connections) {
        PoolConfig d = PoolConfig.DEFAULT;
        return new PoolConfig(connections, d.pending(), d.idle(), d.lifetime(), d.requests());
    }

    @Test
    void allClientsAreServedEvenIfManyExceedTheLimitAtOnce() throws Exception {
        try (Running gateway = new Setup()
                .transport(transport)
                .workers(4)
                .connections(2)
                .route("x", "/", new RouteAction.Respond(200, Map.of(), "x"))
                .start()) {
            List<CompletableFuture<Void>> crowds = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                crowds.add(CompletableFuture.runAsync(() -> comeAndGo(gateway, 150)));
            }
            for (CompletableFuture<Void> crowd : crowds) {
                crowd.get(60, TimeUnit.SECONDS);
            }
            comeAndGo(gateway, 1);
        }
    }

    private static void comeAndGo(Running gateway, int times) {
        for (int i = 0; i < times; i++) {
            try (RawClient client = served(gateway)) {
                client.halfClose();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }
}
