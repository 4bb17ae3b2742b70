package dev.lychgate.gateway;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.ListenerTimeouts;
import dev.lychgate.config.Transport;
import dev.lychgate.config.WebSocketConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.exchange.state.TunnelEnd;
import dev.lychgate.testing.Ending;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.ScriptedConnection;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.WebSockets;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** An open WebSocket: raw bytes both ways, as fast as the slower side, and both sides end together. */
@ParameterizedClass
@EnumSource(names = {"AUTO", "NIO"})
@Tag("slow")
class WebSocketTunnelTest {
    private static final int LARGE = 8 << 20;
    private static final WebSocketConfig UNLIMITED =
            new WebSocketConfig(List.of(), false, Duration.ZERO, Duration.ZERO, 10);

    @Parameter
    @SuppressWarnings("NullAway.Init") // by JUnit
    Transport transport;

    private Setup to(ScriptedOrigin origin) {
        return Setup.to(origin.address()).transport(transport).webSocket(WebSocketConfig.DEFAULT);
    }

    private static ListenerTimeouts writeTimeout(Duration write) {
        Duration other = Duration.ofSeconds(30);
        return new ListenerTimeouts(other, other, other, write);
    }

    private static void open(RawClient client) throws IOException {
        assertThat(client.send(WebSockets.handshake("/")).readHead().status()).isEqualTo(101);
    }

    private static byte[] noise(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private interface Task {
        void run() throws Exception;
    }

    private static CompletableFuture<Void> aside(Task task) {
        return CompletableFuture.runAsync(() -> {
            try {
                task.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void bytesPassUnchanged() throws Exception {
        byte[] there = noise(LARGE);
        byte[] back = noise(LARGE + 1);
        Gate allHere = new Gate();
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    WebSockets.accept(c);
                    CompletableFuture<Void> sent = aside(() -> c.send(back));
                    assertThat(c.readBytes(there.length)).isEqualTo(there);
                    allHere.open();
                    sent.get(10, TimeUnit.SECONDS);
                    c.awaitEnd();
                });
                Running gateway = to(origin).start();
                RawClient client = gateway.client()) {
            open(client);
            CompletableFuture<Void> sent = aside(() -> client.send(there));
            assertThat(client.readBytes(back.length)).isEqualTo(back);
            sent.get(10, TimeUnit.SECONDS);
            allHere.await(); // bytes that the kernel has accepted from the client may not have passed the gateway
        }
    }

    @Test
    void aClientThatDoesNotReadStopsTheOrigin() throws Exception {
        CompletableFuture<ScriptedConnection> connection = new CompletableFuture<>();
        Gate gate = new Gate();
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    WebSockets.accept(c);
                    connection.complete(c);
                    try {
                        c.within(Duration.ofSeconds(1)).send(new byte[64 << 20]);
                    } catch (IOException | AssertionError e) {
                        gate.open();
                    }
                });
                Running gateway = to(origin).start();
                RawClient client =
                        RawClient.connectWithReceiveBuffer(gateway.gateway().address("main"), 16 << 10)) {
            open(client);
            gate.await();
            assertThat(connection.get().bytesSent()).isLessThan(24 << 20);
        }
    }

    @Test
    void anOriginThatDoesNotReadStopsTheClient() throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin origin = ScriptedOrigin.startWithReceiveBuffer(16 << 10)
                        .onConnection(c -> {
                            WebSockets.accept(c);
                            c.stallUntil(gate);
                        });
                Running gateway = to(origin).start();
                RawClient client = gateway.client()) {
            open(client);
            try {
                client.within(Duration.ofSeconds(1)).send(new byte[64 << 20]);
                throw new IllegalStateException("all of it was read");
            } catch (IOException | AssertionError e) {
                assertThat(client.bytesSent()).isLessThan(24 << 20);
            }
            gate.open();
        }
    }

    /** The end of the client's connection follows bytes that are not read while the origin does not read. */
    @Test
    void endsTunnelOfAClosedClientIfTheOriginDoesNotRead() throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin origin = ScriptedOrigin.startWithReceiveBuffer(16 << 10)
                        .onConnection(c -> {
                            WebSockets.accept(c);
                            c.stallUntil(gate);
                        });
                Running gateway = to(origin)
                        .webSocket(UNLIMITED)
                        .clients(writeTimeout(Duration.ofSeconds(4)))
                        .start()) {
            try (RawClient client = gateway.client()) {
                open(client);
                assertThatThrownBy(() -> client.within(Duration.ofMillis(500)).send(new byte[64 << 20]))
                        .isNotNull();
            }
            Outcome outcome = gateway.nextOutcome();
            assertThat(outcome.tunnel()).isEqualTo(TunnelEnd.ORIGIN_GONE);
            eventually(() -> assertThat(gateway.counters().open()).isZero());
            gate.open();
        }
    }

    @Test
    void keepsTunnelIfTheOriginReadsSlowly() throws Exception {
        byte[] last = WebSockets.plain(WebSockets.TEXT, "still open");
        try (ScriptedOrigin origin = ScriptedOrigin.startWithReceiveBuffer(16 << 10)
                        .onConnection(c -> {
                            WebSockets.accept(c);
                            for (int i = 0; i < 80; i++) {
                                c.readBytes(128 << 10);
                                Thread.sleep(50);
                            }
                            c.send(last);
                            c.awaitEnd();
                        });
                Running gateway = to(origin)
                        .webSocket(UNLIMITED)
                        .clients(writeTimeout(Duration.ofSeconds(3)))
                        .start();
                RawClient client = gateway.client()) {
            open(client.within(Duration.ofSeconds(30)));
            CompletableFuture<Void> sending = aside(() -> client.send(new byte[64 << 20]));
            assertThat(client.readBytes(last.length)).isEqualTo(last);
            client.reset();
            sending.exceptionally(e -> null).get(10, TimeUnit.SECONDS);
        }
    }

    @Test
    void aClientThatDoesNotReadTimesOut() throws Exception {
        ListenerTimeouts impatient = new ListenerTimeouts(
                Duration.ofSeconds(10), Duration.ofMillis(300), Duration.ofSeconds(10), Duration.ofMillis(500));
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    WebSockets.accept(c);
                    try {
                        c.within(Duration.ofSeconds(8)).send(new byte[64 << 20]);
                    } catch (IOException e) {
                        return;
                    }
                    throw new AssertionError("all of it was read");
                });
                Running gateway = to(origin).clients(impatient).start();
                RawClient client =
                        RawClient.connectWithReceiveBuffer(gateway.gateway().address("main"), 16 << 10)) {
            open(client);
            Outcome outcome = gateway.nextOutcome();
            assertThat(outcome.error()).isEqualTo(ErrorKind.CLIENT_STALLED);
            assertThat(outcome.tunnel()).isEqualTo(TunnelEnd.CLIENT_GONE);
            origin.awaitOpenConnections(0);
        }
    }

    @Test
    void aSilentClientThatReadsIsNotClosed() throws Exception {
        Duration limit = Duration.ofSeconds(1);
        ListenerTimeouts impatient = new ListenerTimeouts(limit, limit, limit, limit);
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(WebSockets::echo);
                Running gateway = to(origin)
                        .clients(impatient)
                        .timeouts(Setup.waiting(Duration.ofSeconds(5), Duration.ofSeconds(5), limit, limit, limit))
                        .start();
                RawClient client = gateway.client()) {
            open(client);
            client.expectSilence(Duration.ofMillis(1700));
            byte[] still = WebSockets.masked(WebSockets.TEXT, "still here");
            assertThat(client.send(still).readBytes(still.length)).isEqualTo(still);
        }
    }

    @Test
    void theLastBytesOfAClientReachASlowOrigin() throws Exception {
        Gate gate = new Gate();
        byte[] last = WebSockets.masked(2, noise(1 << 20));
        CompletableFuture<byte[]> seen = new CompletableFuture<>();
        try (ScriptedOrigin origin = ScriptedOrigin.startWithReceiveBuffer(16 << 10)
                        .onConnection(c -> {
                            WebSockets.accept(c);
                            c.stallUntil(gate);
                            seen.complete(c.readBytes(last.length));
                            assertThat(c.awaitEnd()).isEqualTo(Ending.CLOSED);
                        });
                Running gateway = to(origin).start();
                RawClient client = gateway.client()) {
            open(client);
            CompletableFuture<Void> sent = aside(() -> client.send(last).halfClose());
            gate.open();
            assertThat(seen.get(10, TimeUnit.SECONDS)).isEqualTo(last);
            sent.get(10, TimeUnit.SECONDS);
            assertThat(gateway.nextOutcome().tunnel()).isEqualTo(TunnelEnd.CLIENT_GONE);
            assertThat(client.awaitEnd()).isEqualTo(Ending.CLOSED);
        }
    }

    @Test
    void theLastBytesOfAnOriginReachASlowClient() throws Exception {
        byte[] last = WebSockets.plain(2, noise(1 << 20));
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    WebSockets.accept(c);
                    c.send(last).halfClose();
                    c.awaitEnd();
                });
                Running gateway = to(origin).start();
                RawClient client =
                        RawClient.connectWithReceiveBuffer(gateway.gateway().address("main"), 16 << 10)) {
            open(client);
            assertThat(client.readBytes(last.length)).isEqualTo(last);
            client.expectClosed();
            Outcome outcome = gateway.nextOutcome();
            assertThat(outcome.tunnel()).isEqualTo(TunnelEnd.ORIGIN_GONE);
            assertThat(outcome.error()).isNull();
            client.halfClose();
            origin.awaitOpenConnections(0);
        }
    }

    @Test
    void aCloseHandshakePassesAndTheLogNamesItsInitiator() throws Exception {
        byte[] bye = WebSockets.masked(WebSockets.CLOSE, WebSockets.closing(1000));
        byte[] byeToo = WebSockets.plain(WebSockets.CLOSE, WebSockets.closing(1000));
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    WebSockets.accept(c);
                    assertThat(c.readBytes(bye.length)).isEqualTo(bye);
                    c.send(byeToo);
                });
                Running gateway = to(origin).start();
                RawClient client = gateway.client()) {
            open(client);
            client.send(bye);
            assertThat(client.readUntilClose()).isEqualTo(byeToo);
            Outcome outcome = gateway.nextOutcome();
            assertThat(outcome.tunnel()).isEqualTo(TunnelEnd.CLIENT_CLOSED);
            assertThat(outcome.error()).isNull();
        }
    }

    @Test
    void aResetOfTheOriginEndsTheClient() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    WebSockets.accept(c);
                    c.readBytes(1);
                    c.reset();
                });
                Running gateway = to(origin).start();
                RawClient client = gateway.client()) {
            open(client);
            client.send("x");
            client.awaitEnd();
            Outcome outcome = gateway.nextOutcome();
            assertThat(outcome.status()).isEqualTo(101);
            assertThat(outcome.error()).isEqualTo(ErrorKind.ORIGIN_RESET);
            assertThat(outcome.tunnel()).isEqualTo(TunnelEnd.ORIGIN_GONE);
        }
    }

    @Test
    void aResetOfTheClientEndsTheOrigin() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    WebSockets.accept(c);
                    c.awaitEnd();
                });
                Running gateway = to(origin).start();
                RawClient client = gateway.client()) {
            open(client);
            client.reset();
            Outcome outcome = gateway.nextOutcome();
            assertThat(outcome.error()).isEqualTo(ErrorKind.CLIENT_GONE);
            assertThat(outcome.tunnel()).isEqualTo(TunnelEnd.CLIENT_GONE);
            origin.awaitOpenConnections(0);
        }
    }

    @Test
    void bytesThatResembleHttpAreNotParsed() throws Exception {
        String smuggled = "GET /internal HTTP/1.1\r\nHost: a\r\n\r\n";
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    WebSockets.accept(c);
                    assertThat(new String(c.readBytes(smuggled.length()), java.nio.charset.StandardCharsets.US_ASCII))
                            .isEqualTo(smuggled);
                    c.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
                });
                Running gateway = to(origin).start();
                RawClient client = gateway.client()) {
            open(client);
            client.send(smuggled);
            assertThat(client.readUntilClose()).hasSize("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".length());
            assertThat(origin.requestsSeen()).isEqualTo(1);
            gateway.nextOutcome();
            assertThat(gateway.hasMoreOutcomes()).isFalse();
        }
    }
}
