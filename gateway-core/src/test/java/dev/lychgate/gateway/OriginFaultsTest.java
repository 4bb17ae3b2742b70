package dev.lychgate.gateway;

import static dev.lychgate.gateway.Problems.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.Transport;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.exchange.state.Half;
import dev.lychgate.testing.ConnectionScript;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.RefusingPort;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.Rfc;
import dev.lychgate.testing.RfcRows;
import dev.lychgate.testing.ScriptedOrigin;
import java.io.EOFException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Faults of an origin, and their effect at the client: a problem before the response has started, later an abort. */
@ParameterizedClass
@EnumSource(names = {"AUTO", "NIO"})
class OriginFaultsTest {
    @Parameter
    @SuppressWarnings("NullAway.Init") // by JUnit
    Transport transport;

    private Running start(ScriptedOrigin origin) {
        return Setup.to(origin.address()).transport(transport).start();
    }

    @Test
    @Rfc("9110, 15.6.3")
    void aRefusedConnectionIsABadGateway() throws Exception {
        try (RefusingPort origin = new RefusingPort();
                Running gateway =
                        Setup.to(origin.address()).transport(transport).start();
                RawClient client = gateway.client()) {
            assertProblem(client.get("/"), 502, ErrorKind.CONNECT_REFUSED);
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.CONNECT_REFUSED);
            // The client's connection is none the worse for it.
            assertProblem(client.get("/"), 502, ErrorKind.CONNECT_REFUSED);
            assertThat(gateway.pools().connecting()).isZero();
            assertThat(gateway.pools().pending()).isZero();
        }
    }

    @Test
    @Rfc("9110, 15.6.3")
    void aConnectionResetOrClosedBeforeTheResponseIsABadGateway() throws Exception {
        for (ConnectionScript end : new ConnectionScript[] {c -> c.reset(), c -> c.close()}) {
            failsUncommitted(
                    c -> {
                        c.readRequest();
                        end.play(c);
                    },
                    ErrorKind.ORIGIN_RESET);
        }
    }

    static RfcRows aResponseThatIsNotHttpIsABadGateway() {
        return RfcRows.under("9112, 4", "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 abc OK\r\n\r\n")
                .and("9110, 15", "HTTP/1.1 700 Odd\r\nContent-Length: 0\r\n\r\n")
                .and("9112, 2.3", "HTTP/2.0 200 OK\r\nContent-Length: 0\r\n\r\n")
                .and(
                        "9112, 6.3",
                        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
                        "HTTP/1.1 200 OK\r\nContent-Length: -3\r\n\r\nabcd")
                .and("9112, 7.4", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n")
                .and("9110, 5.5", "HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 0\r\n\r\n");
    }

    @ParameterizedTest(name = "RFC {0}: {1}")
    @MethodSource
    void aResponseThatIsNotHttpIsABadGateway(String section, String garbage) throws Exception {
        failsUncommitted(
                c -> {
                    c.readRequest();
                    c.send(garbage);
                    c.awaitEnd();
                },
                ErrorKind.MALFORMED_RESPONSE);
    }

    @Test
    @Rfc({"9112, 8", "9110, 15.6.3"})
    void aHeadWithoutItsEndIsABadGateway() throws Exception {
        failsUncommitted(
                c -> {
                    c.readRequest();
                    c.send("HTTP/1.1 200 OK\r\nContent-Le");
                },
                ErrorKind.ORIGIN_RESET);
    }

    private void failsUncommitted(ConnectionScript script, ErrorKind kind) throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(script);
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            assertProblem(client.get("/"), 502, kind);
            Outcome outcome = gateway.nextOutcome();
            assertThat(outcome.error()).isEqualTo(kind);
            assertThat(outcome.attempts()).isEqualTo(1);
            origin.awaitOpenConnections(0);
            assertThat(origin.connectionsAccepted()).isEqualTo(1);
            assertProblem(client.get("/"), 502, kind);
        }
    }

    @Test
    @Rfc("9112, 8")
    void aBodyThatEndsWithAResetIsIncomplete() throws Exception {
        // RFC 9112, 8: complete only if the connection closed without an error.
        Gate relayed = new Gate();
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readRequest();
                    c.send("HTTP/1.1 200 OK\r\n\r\nabc");
                    c.stallUntil(relayed).reset();
                });
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            client.readHead();
            assertThat(client.readBytes(8)).asString().isEqualTo("3\r\nabc\r\n");
            relayed.open();
            assertThat(client.readUntilClose()).isEmpty();
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.ORIGIN_RESET);
        }
    }

    static RfcRows aTruncatedResponseIsVisiblyTruncatedForTheClient() {
        return RfcRows.under(
                        "9112, 8",
                        "Content-Length: 9\r\n\r\nshort",
                        "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
                        "Transfer-Encoding: chunked\r\n\r\n3\r\nab",
                        "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n")
                .and("9112, 7.1", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nxyz\r\n");
    }

    @ParameterizedTest(name = "RFC {0}: {1}")
    @MethodSource
    void aTruncatedResponseIsVisiblyTruncatedForTheClient(String section, String rest) throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readRequest();
                    c.send("HTTP/1.1 200 OK\r\n" + rest);
                });
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThatThrownBy(client::readResponse).isInstanceOf(EOFException.class);
            Outcome outcome = gateway.nextOutcome();
            assertThat(outcome.status()).isEqualTo(200);
            assertThat(outcome.error()).isIn(ErrorKind.ORIGIN_RESET, ErrorKind.MALFORMED_RESPONSE);
            assertThat(outcome.response()).isEqualTo(Half.ABORTED);
        }
    }

    @Test
    @Rfc("9112, 8")
    void aResetWithinTheResponseIsVisibleToTheClient() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readHead();
                    c.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
                    c.readBytes(1);
                    c.reset();
                });
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
            assertThatThrownBy(() -> {
                        client.readHead();
                        client.readBytes(3);
                        client.send("1\r\nx\r\n");
                        client.readBytes(7);
                    })
                    .isInstanceOf(java.io.IOException.class);
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.ORIGIN_RESET);
        }
    }

    @Test
    @Rfc({"9112, 9.3", "9112, 9.5"})
    void anEarlyResponseReachesTheClientAndTheOriginConnectionIsNotReused() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start()
                        .onNextConnection(c -> {
                            c.readHead();
                            c.send(Responses.of(413, "too much"));
                            c.awaitEnd();
                        })
                        .onConnection(c -> c.answerEvery(r -> Responses.ok("next")));
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc");
            RawMessage answer = client.readResponse();
            assertThat(answer.status()).isEqualTo(413);
            Outcome outcome = gateway.nextOutcome();
            assertThat(outcome.request()).isEqualTo(Half.ABORTED);
            assertThat(outcome.response()).isEqualTo(Half.DONE);
            // The rest of the body is discarded, then the connection continues.
            client.send("defghij");
            assertThat(client.get("/").body()).isEqualTo("next");
            assertThat(origin.connectionsAccepted()).isEqualTo(2);
        }
    }

    @Test
    @Rfc({"9112, 9.6", "9110, 7.6.1"})
    void anOriginConnectionWithCloseGetsNoFurtherRequest() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readRequest();
                    c.send(Responses.of(200, "x", "Connection: Close"));
                    c.expectClosed();
                });
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            RawMessage answer = client.get("/");
            assertThat(answer.has("connection")).isFalse();
            assertThat(client.get("/").body()).isEqualTo("x");
            assertThat(origin.connectionsAccepted()).isEqualTo(2);
        }
    }
}
