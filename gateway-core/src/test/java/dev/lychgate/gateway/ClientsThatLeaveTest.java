package dev.lychgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.PoolConfig;
import dev.lychgate.config.Transport;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.exchange.state.Half;
import dev.lychgate.testing.Eventually;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.Rfc;
import dev.lychgate.testing.ScriptedOrigin;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A client that disconnects at any point frees its resources, and its partial request is never treated as complete. */
@ParameterizedClass
@EnumSource(names = {"AUTO", "NIO"})
class ClientsThatLeaveTest {
    @Parameter
    @SuppressWarnings("NullAway.Init") // by JUnit
    Transport transport;

    @Test
    @Rfc("9112, 8")
    void leavesWithinItsRequest() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readHead();
                    c.awaitEnd();
                });
                Running gateway =
                        Setup.to(origin.address()).transport(transport).start();
                RawClient client = gateway.client()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab");
            origin.awaitRequests(1);
            client.reset();
            Outcome outcome = gateway.nextOutcome();
            assertThat(outcome.error()).isEqualTo(ErrorKind.CLIENT_GONE);
            assertThat(outcome.status()).isEqualTo(499);
            assertThat(outcome.request()).isEqualTo(Half.ABORTED);
            origin.awaitOpenConnections(0);
            assertThat(gateway.pools().busy()).isZero();
        }
    }

    @Test
    @Rfc("9112, 9.5")
    void leavesWhileTheOriginProcessesTheRequest() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readRequest();
                    c.awaitEnd();
                });
                Running gateway =
                        Setup.to(origin.address()).transport(transport).start();
                RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            origin.awaitRequests(1);
            client.halfClose();
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.CLIENT_GONE);
            origin.awaitOpenConnections(0);
        }
    }

    @Test
    @Rfc("9112, 9.5")
    void leavesWithinItsResponse() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readRequest();
                    c.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc");
                    c.awaitEnd();
                });
                Running gateway =
                        Setup.to(origin.address()).transport(transport).start();
                RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            client.readHead();
            client.readBytes(3);
            client.reset();
            Outcome outcome = gateway.nextOutcome();
            assertThat(outcome.status()).isEqualTo(200);
            assertThat(outcome.error()).isEqualTo(ErrorKind.CLIENT_GONE);
            assertThat(outcome.response()).isEqualTo(Half.ABORTED);
            origin.awaitOpenConnections(0);
        }
    }

    @Test
    @Rfc("9112, 9.5")
    void leavesWhileItWaitsForAConnection() throws Exception {
        Gate gate = new Gate();
        Duration enough = Duration.ofSeconds(30);
        try (ScriptedOrigin origin =
                        ScriptedOrigin.answering((r, c) -> c.stallUntil(gate).send(Responses.ok(r.target())));
                Running gateway = Setup.to(origin.address())
                        .transport(transport)
                        .pool(new PoolConfig(1, 10, enough, enough, 0))
                        .start();
                RawClient first = gateway.client();
                RawClient second = gateway.client()) {
            first.send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\n");
            origin.awaitRequests(1);
            second.send("GET /2 HTTP/1.1\r\nHost: a\r\n\r\n");
            Eventually.eventually(() -> assertThat(gateway.pools().pending()).isEqualTo(1));
            second.reset();
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.CLIENT_GONE);
            assertThat(gateway.pools().pending()).isZero();
            gate.open();
            assertThat(first.readResponse().body()).isEqualTo("/1");
            assertThat(origin.requestsSeen()).isEqualTo(1);
        }
    }

    @Test
    @Rfc("9112, 9.5")
    void leavesHalfwayThroughItsPipeline() throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin origin =
                        ScriptedOrigin.answering((r, c) -> c.stallUntil(gate).send(Responses.ok("x")));
                Running gateway =
                        Setup.to(origin.address()).transport(transport).start();
                RawClient client = gateway.client()) {
            client.send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\n".repeat(3));
            origin.awaitRequests(1);
            client.reset();
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.CLIENT_GONE);
            gate.open();
            origin.awaitOpenConnections(0);
            assertThat(origin.requestsSeen()).isEqualTo(1);
            assertThat(gateway.hasMoreOutcomes()).isFalse();
        }
    }
}
