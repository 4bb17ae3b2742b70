package dev.lychgate.gateway;

import static dev.lychgate.gateway.Problems.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.Transport;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.pool.CloseReason;
import dev.lychgate.testing.Eventually;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.Rfc;
import dev.lychgate.testing.ScriptedConnection;
import dev.lychgate.testing.ScriptedOrigin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A pooled connection that closes during a request: the request is sent again on a fresh one if it is safe, and only once. */
@ParameterizedClass
@EnumSource(names = {"AUTO", "NIO"})
class StaleConnectionsTest {
    @Parameter
    @SuppressWarnings("NullAway.Init") // by JUnit
    Transport transport;

    /** Responds once, reads another request and closes the connection without a response. */
    private static void diesUnderTheSecond(ScriptedConnection c) throws Exception {
        c.readRequest();
        c.send(Responses.ok("first"));
        c.readRequest();
        c.reset();
    }

    private Running start(ScriptedOrigin origin) {
        return Setup.to(origin.address()).transport(transport).start();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "QUERY"})
    @Rfc({"9110, 9.2.2", "9112, 9.3.1", "10008, 2"})
    void anIdempotentRequestIsSentOnceMoreOnAFreshConnection(String method) throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start()
                        .onNextConnection(StaleConnectionsTest::diesUnderTheSecond)
                        .onConnection(c -> c.answerEvery(r -> Responses.ok("fresh")));
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            client.get("/");
            client.send(method + " / HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.readResponse().body()).isEqualTo("fresh");
            assertThat(gateway.nextOutcome().attempts()).isEqualTo(1);
            Outcome second = gateway.nextOutcome();
            assertThat(second.attempts()).isEqualTo(2);
            assertThat(second.error()).isNull();
            assertThat(origin.requestsSeen()).isEqualTo(3);
        }
    }

    @Test
    @Rfc({"9110, 9.2.2", "9110, 15.6.3"})
    void aGetThatFailsOnTwoStaleConnectionsIsNotSentAThirdTime() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start()
                        .onNextConnection(StaleConnectionsTest::diesUnderTheSecond)
                        .onConnection(c -> {
                            c.readRequest();
                            c.reset();
                        });
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            client.get("/");
            assertProblem(client.get("/"), 502, ErrorKind.ORIGIN_RESET);
            assertThat(origin.requestsSeen()).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx",
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
                "PATCH / HTTP/1.1\r\nHost: a\r\n\r\n",
                "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx"
            })
    @Rfc({"9110, 9.2.2", "9112, 9.3.1"})
    void unsafeRequestsAreSentExactlyOnce(String request) throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start()
                        .onNextConnection(StaleConnectionsTest::diesUnderTheSecond)
                        .onConnection(c -> c.answerEvery(r -> Responses.ok("must not happen")));
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            client.get("/");
            client.send(request);
            assertProblem(client.readResponse(), 502, ErrorKind.ORIGIN_RESET);
            assertThat(origin.requestsSeen()).isEqualTo(2);
            assertThat(origin.connectionsAccepted()).isEqualTo(1);
        }
    }

    @Test
    @Rfc({"9110, 9.2.2", "9110, 15.6.3"})
    void aConnectionThatDiesAfterAByteOfTheAnswerIsNoAccidentOfOurs() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start()
                        .onNextConnection(c -> {
                            c.readRequest();
                            c.send(Responses.ok("first"));
                            c.readRequest();
                            c.send("HTTP/1.1 2");
                        })
                        .onConnection(c -> c.answerEvery(r -> Responses.ok("must not happen")));
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            client.get("/");
            assertThat(client.get("/").status()).isEqualTo(502);
            assertThat(origin.requestsSeen()).isEqualTo(2);
        }
    }

    @Test
    @Rfc("9112, 9.5")
    void anIdleConnectionTheOriginClosesLeavesThePoolAtOnce() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readRequest();
                    c.send(Responses.ok("x"));
                });
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            client.get("/");
            Eventually.eventually(() -> {
                assertThat(gateway.pools().idle()).isZero();
                assertThat(gateway.closedConnections(CloseReason.ORIGIN_CLOSED)).isEqualTo(1);
            });
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx");
            assertThat(client.readResponse().body()).isEqualTo("x");
        }
    }

    @Test
    @Rfc({"9112, 6.3", "9112, 9.2"})
    void bytesBeyondAnAnswerOrBetweenAnswersNeverReachTheNextClient() throws Exception {
        String poison = Responses.ok("poison");
        try (ScriptedOrigin origin = ScriptedOrigin.start()
                        .onNextConnection(c -> {
                            c.readRequest();
                            c.send(Responses.ok("one") + poison);
                            c.awaitEnd();
                        })
                        .onNextConnection(c -> {
                            c.readRequest();
                            c.send(Responses.ok("two"));
                            c.send("HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n");
                            c.awaitEnd();
                        })
                        .onConnection(c -> c.answerEvery(r -> Responses.ok("three")));
                Running gateway = start(origin);
                RawClient first = gateway.client();
                RawClient second = gateway.client()) {
            assertThat(first.get("/").body()).isEqualTo("one");
            assertThat(second.get("/").body()).isEqualTo("two");
            Eventually.eventually(() -> assertThat(gateway.pools().idle()).isZero());
            assertThat(first.get("/").body()).isEqualTo("three");
        }
    }
}
