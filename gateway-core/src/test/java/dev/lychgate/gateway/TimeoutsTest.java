package dev.lychgate.gateway;

import static dev.lychgate.gateway.Problems.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.ByteSize;
import dev.lychgate.config.ListenerTimeouts;
import dev.lychgate.config.PoolConfig;
import dev.lychgate.config.RouteTimeouts;
import dev.lychgate.config.SocketOptions;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.testing.BlackHole;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.Rfc;
import dev.lychgate.testing.ScriptedOrigin;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every timeout, each short here: the stalling peer gets an error or is disconnected, and no other one. */
@Tag("slow")
class TimeoutsTest {
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofSeconds(30);

    private static ListenerTimeouts clients(Duration head, Duration body, Duration idle, Duration write) {
        return new ListenerTimeouts(head, body, idle, write);
    }

    @Test
    @Rfc("9110, 15.5.9")
    void aClientThatDoesNotFinishItsHeadGetsAnError() throws Exception {
        try (Running gateway =
                        new Setup().clients(clients(SHORT, LONG, LONG, LONG)).start();
                RawClient slow = gateway.client()) {
            slow.send("GET / HTTP/1.1\r\nHos");
            assertProblem(slow.readResponse(), 408, ErrorKind.REQUEST_TIMEOUT);
            slow.expectClosed();
            assertThat(gateway.nextOutcome().status()).isEqualTo(408);
        }
    }

    @Test
    @Rfc("9110, 15.5.9")
    void bytesThatKeepComingDoNotProlongTheHead() throws Exception {
        try (Running gateway =
                        new Setup().clients(clients(SHORT, LONG, LONG, LONG)).start();
                RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nX: ");
            assertThatThrownBy(() -> client.sendSlowly("a".repeat(200), 200, Duration.ofMillis(50)))
                    .isInstanceOf(java.io.IOException.class);
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.REQUEST_TIMEOUT);
        }
    }

    @Test
    @Rfc("9112, 9.5")
    void anIdleClientIsClosedSilently() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("x")));
                Running gateway = Setup.to(origin.address())
                        .clients(clients(LONG, LONG, Duration.ofSeconds(1), LONG))
                        .start();
                RawClient client = gateway.client();
                RawClient neverUsed = gateway.client()) {
            client.get("/");
            client.expectClosed();
            neverUsed.expectClosed();
            assertThat(gateway.gateway().listeners().get(0).counters().idleTimeouts())
                    .isEqualTo(2);
        }
    }

    @Test
    @Rfc("9110, 15.5.9")
    void aClientThatStopsSendingItsBodyGetsAnError() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readHead();
                    c.awaitEnd();
                });
                Running gateway = Setup.to(origin.address())
                        .clients(clients(LONG, SHORT, LONG, LONG))
                        .start();
                RawClient client = gateway.client()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab");
            assertProblem(client.readResponse(), 408, ErrorKind.REQUEST_TIMEOUT);
            client.expectClosed();
            origin.awaitOpenConnections(0);
        }
    }

    @Test
    void aSlowButSteadyBodyIsNotCutOff() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok(r.body())));
                Running gateway = Setup.to(origin.address())
                        .clients(clients(LONG, Duration.ofSeconds(2), LONG, LONG))
                        .start();
                RawClient client = gateway.client()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 20\r\n\r\n");
            client.sendSlowly("0123456789".repeat(2), 20, Duration.ofMillis(120));
            assertThat(client.readResponse().body()).hasSize(20);
        }
    }

    @Test
    @Rfc("9110, 15.6.5")
    void anOriginThatDoesNotRespondIsAGatewayTimeout() throws Exception {
        RouteTimeouts short1 = Setup.waiting(LONG, LONG, SHORT, LONG, Duration.ZERO);
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readRequest();
                    c.awaitEnd();
                });
                Running gateway = Setup.to(origin.address()).timeouts(short1).start();
                RawClient client = gateway.client()) {
            assertProblem(client.get("/"), 504, ErrorKind.RESPONSE_TIMEOUT);
            origin.awaitOpenConnections(0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 102 Processing\r\n\r\n", "x"})
    @Rfc("9110, 15.6.5")
    void whateverAnOriginSendsBeforeItsHeadDoesNotProlongTheWait(String drip) throws Exception {
        RouteTimeouts short1 = Setup.waiting(LONG, LONG, SHORT, LONG, Duration.ZERO);
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readRequest();
                    c.send(drip.equals("x") ? "HTTP/1.1 200 OK\r\nX: " : "");
                    try {
                        c.sendSlowly(drip.repeat(100), 100, Duration.ofMillis(50));
                    } catch (IOException cutOff) {
                        // As it should be.
                    }
                });
                Running gateway = Setup.to(origin.address()).timeouts(short1).start();
                RawClient client = gateway.client()) {
            assertProblem(client.get("/"), 504, ErrorKind.RESPONSE_TIMEOUT);
            origin.awaitOpenConnections(0);
        }
    }

    @Test
    @Rfc({"9110, 10.1.1", "9110, 15.6.5"})
    void aClientThatWaitsForAContinueIsNotAtFault() throws Exception {
        RouteTimeouts short1 = Setup.waiting(LONG, LONG, SHORT, LONG, Duration.ZERO);
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readHead();
                    c.awaitEnd();
                });
                Running gateway = Setup.to(origin.address())
                        .clients(clients(LONG, SHORT, LONG, LONG))
                        .timeouts(short1)
                        .start();
                RawClient client = gateway.client()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n");
            assertProblem(client.readResponse(), 504, ErrorKind.RESPONSE_TIMEOUT);
            client.expectClosed();
            origin.awaitOpenConnections(0);
        }
    }

    @Test
    @Rfc("9112, 8")
    void anOriginThatStopsWithinItsResponseIsAborted() throws Exception {
        RouteTimeouts short1 = Setup.waiting(LONG, LONG, LONG, SHORT, Duration.ZERO);
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readRequest();
                    c.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc");
                    c.awaitEnd();
                });
                Running gateway = Setup.to(origin.address()).timeouts(short1).start();
                RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThatThrownBy(client::readResponse).isInstanceOf(EOFException.class);
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.RESPONSE_BODY_TIMEOUT);
            origin.awaitOpenConnections(0);
        }
    }

    @Test
    void aSlowUploadIsNoSilenceOfTheOrigin() throws Exception {
        Duration limit = Duration.ofSeconds(1);
        RouteTimeouts short1 = Setup.waiting(LONG, LONG, limit, limit, Duration.ZERO);
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok(r.body())));
                Running gateway = Setup.to(origin.address()).timeouts(short1).start();
                RawClient client = gateway.client()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n");
            client.sendSlowly("abcd", 4, Duration.ofMillis(450));
            assertThat(client.readResponse().body()).isEqualTo("abcd");
        }
    }

    @Test
    @Rfc({"9110, 15.6.5", "9112, 8"})
    void anExchangeThatTakesTooLongIsAGatewayTimeoutOrACut() throws Exception {
        RouteTimeouts short1 = Setup.waiting(LONG, LONG, LONG, LONG, Duration.ofSeconds(1));
        try (ScriptedOrigin origin = ScriptedOrigin.start()
                        .onNextConnection(c -> {
                            c.readRequest();
                            c.awaitEnd();
                        })
                        .onNextConnection(c -> {
                            c.readRequest();
                            c.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc");
                            c.awaitEnd();
                        });
                Running gateway = Setup.to(origin.address()).timeouts(short1).start();
                RawClient client = gateway.client()) {
            assertProblem(client.get("/"), 504, ErrorKind.EXCHANGE_TIMEOUT);
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThatThrownBy(client::readResponse).isInstanceOf(EOFException.class);
        }
    }

    @Test
    @Rfc("9110, 15.6.5")
    void anAddressThatDoesNotRespondIsAGatewayTimeout() throws Exception {
        RouteTimeouts short1 = Setup.waiting(LONG, SHORT, LONG, LONG, Duration.ZERO);
        try (BlackHole origin = new BlackHole();
                Running gateway = Setup.to(origin.address()).timeouts(short1).start();
                RawClient client = gateway.client()) {
            assertProblem(client.get("/"), 504, ErrorKind.CONNECT_TIMEOUT);
            assertThat(gateway.pools().connectFailures()).isEqualTo(1);
            assertProblem(client.get("/"), 504, ErrorKind.CONNECT_TIMEOUT);
        }
    }

    @Test
    @Rfc({"9110, 15.6.4", "9110, 10.2.3"})
    void waitingForAConnectionEndsWithServiceUnavailable() throws Exception {
        RouteTimeouts short1 = Setup.waiting(Duration.ofSeconds(2), LONG, LONG, LONG, Duration.ZERO);
        Gate gate = new Gate();
        try (ScriptedOrigin origin =
                        ScriptedOrigin.answering((r, c) -> c.stallUntil(gate).send(Responses.ok("late")));
                Running gateway = Setup.to(origin.address())
                        .timeouts(short1)
                        .pool(new PoolConfig(1, 1, LONG, LONG, 0))
                        .start();
                RawClient first = gateway.client();
                RawClient second = gateway.client();
                RawClient third = gateway.client()) {
            first.send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\n");
            origin.awaitRequests(1);
            second.send("POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab");
            dev.lychgate.testing.Eventually.eventually(
                    () -> assertThat(gateway.pools().pending()).isEqualTo(1));
            var full = third.get("/3");
            assertProblem(full, 503, ErrorKind.POOL_EXHAUSTED);
            assertThat(full.value("retry-after")).contains("1");
            assertProblem(second.readResponse(), 503, ErrorKind.ACQUIRE_TIMEOUT);
            gate.open();
            assertThat(first.readResponse().body()).isEqualTo("late");
            assertThat(second.get("/4").body()).isEqualTo("late");
            assertThat(origin.connectionsAccepted()).isEqualTo(1);
        }
    }

    @Test
    void aClientThatDoesNotReadItsResponseIsDisconnected() throws Exception {
        SocketOptions small = new SocketOptions(
                64, false, new ByteSize(0), ByteSize.ofKiB(16), ByteSize.ofKiB(16), ByteSize.ofKiB(32));
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readRequest();
                    c.send(Responses.head(200, "Content-Length: 100000000") + "\r\n");
                    assertThatThrownBy(() -> c.send(new byte[100_000_000]))
                            .isInstanceOf(java.net.SocketException.class);
                });
                Running gateway = Setup.to(origin.address())
                        .socket(small)
                        .clients(clients(LONG, LONG, LONG, SHORT))
                        .start();
                RawClient client =
                        RawClient.connectWithReceiveBuffer(gateway.gateway().address("main"), 8192)) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.CLIENT_STALLED);
            origin.awaitOpenConnections(0);
        }
    }
}
