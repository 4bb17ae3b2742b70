package dev.lychgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.Transport;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.testing.Eventually;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.net.ConnectException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Draining: the gateway accepts no new requests, finishes running ones, and aborts and counts stalled ones. */
@ParameterizedClass
@EnumSource(names = {"AUTO", "NIO"})
@Tag("slow")
class DrainTest {
    @Parameter
    @SuppressWarnings("NullAway.Init") // by JUnit
    Transport transport;

    private static CompletableFuture<Integer> drain(Running gateway, Duration within) {
        return CompletableFuture.supplyAsync(() -> gateway.drain(within));
    }

    private static void awaitRefusal(Running gateway) throws Exception {
        var address = gateway.gateway().address("main");
        Eventually.eventually(() -> Assertions.assertThatThrownBy(
                        () -> RawClient.connect(address).close())
                .isInstanceOf(ConnectException.class));
    }

    @Test
    void aRunningExchangeIsFinishedAndItsConnectionClosed() throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin origin =
                        ScriptedOrigin.answering((r, c) -> c.stallUntil(gate).send(Responses.ok("whole")));
                Running gateway = Setup.to(origin.address())
                        .transport(transport)
                        .workers(2)
                        .start();
                // The first connection is accepted first: it has been accepted when the second one's request runs.
                RawClient idle = gateway.client();
                RawClient running = gateway.client()) {
            running.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            origin.awaitRequests(1);
            CompletableFuture<Integer> cut = drain(gateway, Duration.ofSeconds(10));
            awaitRefusal(gateway);
            idle.expectClosed();
            assertThat(cut).isNotDone();
            gate.open();
            RawMessage response = running.readResponse();
            assertThat(response.body()).isEqualTo("whole");
            assertThat(response.value("connection")).contains("close");
            running.expectClosed();
            assertThat(cut.get(10, TimeUnit.SECONDS)).isZero();
            origin.awaitOpenConnections(0);
        }
    }

    @Test
    void aRunningResponseIsFinishedToo() throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readRequest();
                    c.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc");
                    c.stallUntil(gate).send("def");
                    c.awaitEnd();
                });
                Running gateway =
                        Setup.to(origin.address()).transport(transport).start();
                RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            client.readHead();
            client.readBytes(3);
            CompletableFuture<Integer> cut = drain(gateway, Duration.ofSeconds(10));
            awaitRefusal(gateway);
            gate.open();
            assertThat(client.readUntilClose()).hasSize(3);
            assertThat(cut.get(10, TimeUnit.SECONDS)).isZero();
        }
    }

    @Test
    void aRequestThatArrivesOnAnIdleConnectionIsStillServed() throws Exception {
        IdleGrace.play(grace -> {
            try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("x")));
                    Running gateway =
                            Setup.to(origin.address()).transport(transport).start();
                    RawClient client = gateway.client()) {
                client.get("/");
                CompletableFuture<Integer> cut = grace.drain(gateway);
                awaitRefusal(gateway);
                RawMessage response = client.get("/");
                assertThat(response.body()).isEqualTo("x");
                assertThat(response.value("connection")).contains("close");
                assertThat(cut.get(10, TimeUnit.SECONDS)).isZero();
            }
        });
    }

    @Test
    void aStalledExchangeIsAbortedAndCounted() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readRequest();
                    c.awaitEnd();
                });
                Running gateway =
                        Setup.to(origin.address()).transport(transport).start();
                RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            origin.awaitRequests(1);
            assertThat(gateway.drain(Duration.ofMillis(200))).isEqualTo(1);
            Problems.assertProblem(client.readResponse(), 503, ErrorKind.DRAINING);
            client.awaitEnd();
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.DRAINING);
            origin.awaitOpenConnections(0);
        }
    }

    @Test
    void aStalledResponseIsAbortedAndLoggedAsAnAbortOfTheGateway() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readRequest();
                    c.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc");
                    c.awaitEnd();
                });
                Running gateway =
                        Setup.to(origin.address()).transport(transport).start();
                RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            client.readHead();
            assertThat(gateway.drain(Duration.ZERO)).isEqualTo(1);
            assertThat(client.readUntilClose()).hasSize(3);
            Outcome outcome = gateway.nextOutcome();
            assertThat(outcome.status()).isEqualTo(200);
            assertThat(outcome.error()).isEqualTo(ErrorKind.DRAINING);
        }
    }

    @Test
    void aGatewayWithoutClientsStopsAtOnce() {
        Running gateway = new Setup().transport(transport).start();
        assertThat(gateway.drain(Duration.ofSeconds(10))).isZero();
    }
}
