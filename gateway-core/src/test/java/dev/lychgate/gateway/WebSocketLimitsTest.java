package dev.lychgate.gateway;

import static dev.lychgate.gateway.Problems.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.BulkheadConfig;
import dev.lychgate.config.OnFailure;
import dev.lychgate.config.RouteResilience;
import dev.lychgate.config.WebSocketConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.exchange.state.TunnelEnd;
import dev.lychgate.testing.Eventually;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedConnection;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.WebSockets;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Closes of WebSockets by the gateway: 1001 to both sides, between two frames. */
@Tag("slow")
class WebSocketLimitsTest {
    private static final byte[] GOING_AWAY = WebSockets.plain(WebSockets.CLOSE, WebSockets.closing(1001));
    private static final byte[] ANSWER = WebSockets.masked(WebSockets.CLOSE, WebSockets.closing(1001));
    private static final int MASKED_CLOSE = 8;

    private static WebSocketConfig limits(long idleMillis, long lifetimeMillis) {
        return new WebSocketConfig(
                List.of(), false, Duration.ofMillis(idleMillis), Duration.ofMillis(lifetimeMillis), 10);
    }

    private static void open(RawClient client) throws IOException {
        assertThat(client.send(WebSockets.handshake("/")).readHead().status()).isEqualTo(101);
    }

    /** Accepts, receives 1001 and closes regularly. */
    private static void wellBehaved(ScriptedConnection c) throws IOException {
        WebSockets.accept(c);
        hearGoingAway(c);
    }

    private static void hearGoingAway(ScriptedConnection c) throws IOException {
        assertThat(WebSockets.closeCode(c.readBytes(MASKED_CLOSE))).isEqualTo(1001);
        c.send(GOING_AWAY);
        c.awaitEnd();
    }

    private static void hearGoingAway(RawClient client) throws IOException {
        assertThat(client.readBytes(GOING_AWAY.length)).isEqualTo(GOING_AWAY);
        client.send(ANSWER);
        client.expectClosed();
    }

    @Test
    void silenceOfBothSidesEndsIt() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(WebSocketLimitsTest::wellBehaved);
                Running gateway =
                        Setup.to(origin.address()).webSocket(limits(400, 0)).start();
                RawClient client = gateway.client()) {
            open(client);
            hearGoingAway(client);
            Outcome outcome = gateway.nextOutcome();
            assertThat(outcome.tunnel()).isEqualTo(TunnelEnd.IDLE);
            assertThat(outcome.error()).isNull();
            assertThat(outcome.status()).isEqualTo(101);
            client.halfClose();
            origin.awaitOpenConnections(0);
        }
    }

    @Test
    void aByteInEitherDirectionIsNoSilence() throws Exception {
        byte[] ping = WebSockets.plain(WebSockets.PING, "");
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    WebSockets.accept(c);
                    for (int i = 0; i < 12; i++) {
                        Thread.sleep(200);
                        c.send(ping);
                    }
                    hearGoingAway(c);
                });
                Running gateway =
                        Setup.to(origin.address()).webSocket(limits(2200, 0)).start();
                RawClient client = gateway.client()) {
            open(client);
            client.readBytes(12 * ping.length);
            hearGoingAway(client);
        }
    }

    @Test
    void itsLifetimeEndsItEvenIfItIsBusy() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    WebSockets.accept(c);
                    try {
                        while (true) {
                            Thread.sleep(20);
                            c.send(WebSockets.plain(WebSockets.TEXT, "tick"));
                        }
                    } catch (IOException e) {
                        // As expected.
                    }
                });
                Running gateway =
                        Setup.to(origin.address()).webSocket(limits(0, 500)).start();
                RawClient client = gateway.client()) {
            open(client);
            byte[] all = client.readUntilClose();
            assertThat(all.length % 6).isEqualTo(GOING_AWAY.length);
            assertThat(Arrays.copyOfRange(all, all.length - GOING_AWAY.length, all.length))
                    .isEqualTo(GOING_AWAY);
            assertThat(gateway.nextOutcome().tunnel()).isEqualTo(TunnelEnd.LIFETIME);
        }
    }

    @Test
    void aRunningFrameIsFinishedFirst() throws Exception {
        byte[] there = WebSockets.masked(WebSockets.TEXT, "a message in two halves");
        byte[] back = WebSockets.plain(WebSockets.TEXT, "another message in two halves");
        Gate gate = new Gate();
        CompletableFuture<byte[]> halfThere = new CompletableFuture<>();
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    WebSockets.accept(c);
                    c.send(Arrays.copyOf(back, 7));
                    halfThere.complete(c.readBytes(5));
                    c.stallUntil(gate);
                    // The rest of the frame is followed by bytes that must not be delivered.
                    c.send(Arrays.copyOfRange(back, 7, back.length));
                    c.send(WebSockets.plain(WebSockets.TEXT, "too late"));
                    c.readBytes(there.length - 5);
                    hearGoingAway(c);
                });
                Running gateway =
                        Setup.to(origin.address()).webSocket(limits(0, 0)).start();
                RawClient client = gateway.client()) {
            open(client);
            client.send(Arrays.copyOf(there, 5));
            client.readBytes(7);
            halfThere.get(10, TimeUnit.SECONDS);
            CompletableFuture<Integer> drained = drain(gateway);
            client.expectSilence(Duration.ofMillis(300));
            gate.open();
            client.send(Arrays.copyOfRange(there, 5, there.length));
            assertThat(client.readBytes(back.length - 7)).isEqualTo(Arrays.copyOfRange(back, 7, back.length));
            hearGoingAway(client);
            client.halfClose();
            assertThat(gateway.nextOutcome().tunnel()).isEqualTo(TunnelEnd.DRAIN);
            assertThat(drained.get(10, TimeUnit.SECONDS)).isZero();
        }
    }

    @Test
    void anEndlessFrameIsAwaitedOnlyBriefly() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    WebSockets.accept(c);
                    c.send(new byte[] {(byte) 0x82, 127, 0, 0, 0, 1, 0, 0, 0, 0});
                    c.awaitEnd();
                });
                Running gateway =
                        Setup.to(origin.address()).webSocket(limits(300, 0)).start();
                RawClient client = gateway.client()) {
            open(client);
            assertThat(client.readUntilClose()).hasSize(10);
            assertThat(gateway.nextOutcome().tunnel()).isEqualTo(TunnelEnd.IDLE);
        }
    }

    @Test
    void aPeerWithoutACloseFrameDelaysTheEndOnlyBriefly() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    WebSockets.accept(c);
                    assertThat(WebSockets.closeCode(c.readBytes(MASKED_CLOSE))).isEqualTo(1001);
                    c.awaitEnd();
                });
                Running gateway =
                        Setup.to(origin.address()).webSocket(limits(300, 0)).start();
                RawClient client = gateway.client()) {
            open(client);
            assertThat(client.readUntilClose()).isEqualTo(GOING_AWAY);
            gateway.nextOutcome();
            // Neither side ends its connection: the gateway does.
            origin.awaitOpenConnections(0);
        }
    }

    private static CompletableFuture<Integer> drain(Running gateway) {
        return CompletableFuture.supplyAsync(() -> gateway.drain(Duration.ofSeconds(10)));
    }

    @Test
    void drainingEndsAllOfThemRegularly() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(WebSocketLimitsTest::wellBehaved);
                Running gateway = Setup.to(origin.address())
                        .workers(2)
                        .webSocket(WebSocketConfig.DEFAULT)
                        .start();
                RawClient first = gateway.client();
                RawClient second = gateway.client()) {
            open(first);
            open(second);
            CompletableFuture<Integer> cut = drain(gateway);
            hearGoingAway(first);
            hearGoingAway(second);
            first.halfClose();
            second.halfClose();
            assertThat(cut.get(10, TimeUnit.SECONDS)).isZero();
            assertThat(gateway.nextOutcome().tunnel()).isEqualTo(TunnelEnd.DRAIN);
        }
    }

    @Test
    void oneThatIsGrantedWhileTheGatewayDrainsEndsAtOnce() throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    RawMessage request = c.readRequest();
                    c.stallUntil(gate);
                    c.send(WebSockets.granted(request));
                    hearGoingAway(c);
                });
                Running gateway = Setup.to(origin.address())
                        .webSocket(WebSocketConfig.DEFAULT)
                        .start();
                RawClient idle = gateway.client();
                RawClient client = gateway.client()) {
            client.send(WebSockets.handshake("/"));
            origin.awaitRequests(1);
            CompletableFuture<Integer> cut = drain(gateway);
            idle.expectClosed();
            gate.open();
            assertThat(client.readHead().status()).isEqualTo(101);
            hearGoingAway(client);
            client.halfClose();
            assertThat(cut.get(10, TimeUnit.SECONDS)).isZero();
        }
    }

    @Test
    void noneBeginsWhileTheGatewayDrains() throws Exception {
        IdleGrace.play(grace -> {
            try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("hello")));
                    Running gateway = Setup.to(origin.address())
                            .webSocket(WebSocketConfig.DEFAULT)
                            .start();
                    RawClient client = gateway.client()) {
                client.get("/");
                CompletableFuture<Integer> cut = grace.drain(gateway);
                // Idle, it still has a moment.
                Eventually.eventually(() -> assertThatThrownBy(
                                () -> RawClient.connect(gateway.gateway().address("main"))
                                        .close())
                        .isInstanceOf(ConnectException.class));
                client.send(WebSockets.handshake("/"));
                assertProblem(client.readResponse(), 503, ErrorKind.DRAINING);
                client.expectClosed();
                assertThat(cut.get(10, TimeUnit.SECONDS)).isZero();
                assertThat(origin.requestsSeen()).isEqualTo(1);
            }
        });
    }

    @Test
    void theEndOfTheDrainCutsIt() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    WebSockets.accept(c);
                    c.awaitEnd();
                });
                Running gateway = Setup.to(origin.address())
                        .webSocket(WebSocketConfig.DEFAULT)
                        .start();
                RawClient client = gateway.client()) {
            open(client);
            assertThat(gateway.drain(Duration.ZERO)).isEqualTo(1);
            client.awaitEnd();
            assertThat(gateway.nextOutcome().tunnel()).isEqualTo(TunnelEnd.DRAIN);
        }
    }

    @Test
    void anOpenOneUsesNoPermitOfTheRoutesBulkhead() throws Exception {
        RouteResilience one = new RouteResilience(null, new BulkheadConfig(1), 5, OnFailure.FAIL_FAST);
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    RawMessage request = c.readRequest();
                    if (request.has("upgrade")) {
                        c.send(WebSockets.granted(request));
                        c.awaitEnd();
                    } else {
                        c.send(Responses.ok("hello"));
                    }
                });
                Running gateway = Setup.to(origin.address())
                        .resilience(one)
                        .webSocket(WebSocketConfig.DEFAULT)
                        .start();
                RawClient tunnel = gateway.client();
                RawClient client = gateway.client()) {
            open(tunnel);
            assertThat(client.get("/").body()).isEqualTo("hello");
        }
    }
}
