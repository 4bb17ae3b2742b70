package dev.lychgate.gateway;

import static dev.lychgate.testing.Eventually.eventually;
import static dev.lychgate.testing.Http2Client.END_STREAM;
import static dev.lychgate.testing.Http2Client.NONE;
import static dev.lychgate.testing.Http2Client.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.ListenerTimeouts;
import dev.lychgate.config.PoolConfig;
import dev.lychgate.config.UpstreamProtocol;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.http2.Http2Error;
import dev.lychgate.loop.MemoryBudget;
import dev.lychgate.testing.ConnectionScript;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.Http2Origin;
import dev.lychgate.testing.Http2Response;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.Rfc;
import dev.lychgate.testing.ScriptedOrigin;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * HTTP/2 messages with a body of the announced length before their stream ends: later frames can still make them malformed, and
 * a malformed message must not reach the other side as a complete one.
 */
@Rfc("9113, 8.1.1")
@Tag("slow")
class Http2AnnouncedLengthTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final PoolConfig H2 = PoolConfig.DEFAULT.speaking(UpstreamProtocol.H2);

    private static ScriptedOrigin echo() {
        return ScriptedOrigin.answering((r, c) -> c.send(Responses.ok(r.method() + " " + r.body())));
    }

    // ---- requests

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/grpc"})
    void aRequestOfLengthZeroWithDataIsNotForwarded(String type) throws Exception {
        try (ScriptedOrigin origin = echo();
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2()) {
            client.post(1, "/", "content-length", "0", "content-type", type).sync();
            assertThat(origin.connectionsAccepted()).isZero();
            client.data(1, "x", true);
            assertThat(client.awaitReset(1)).isEqualTo(Http2Error.PROTOCOL_ERROR);
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.MALFORMED_REQUEST);
            assertThat(gateway.counters().http2Faults(Http2Error.PROTOCOL_ERROR))
                    .isEqualTo(1);
            assertThat(client.get(3, "/").response(3).body()).isEqualTo("GET ");
            assertThat(origin.requestsSeen()).isEqualTo(1);
        }
    }

    @Test
    void aRequestOfLengthZeroIsForwardedAtTheEndOfItsStream() throws Exception {
        try (ScriptedOrigin origin = echo();
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2()) {
            client.post(1, "/", "content-length", "0").data(1, "", false).sync();
            assertThat(origin.connectionsAccepted()).isZero();
            assertThat(client.data(1, "", true).response(1).body()).isEqualTo("POST ");
            client.post(3, "/", "content-length", "0").headers(3, END_STREAM, "x-sum", "1");
            assertThat(client.response(3).body()).isEqualTo("POST ");
            assertThat(origin.requests().get(0).value("content-length")).contains("0");
        }
    }

    @Test
    void aWithheldRequestTimesOut() throws Exception {
        ListenerTimeouts impatient = new ListenerTimeouts(LONG, Duration.ofMillis(300), LONG, LONG);
        try (ScriptedOrigin origin = echo();
                Running gateway = Setup.to(origin.address()).clients(impatient).start();
                Http2Client client = gateway.http2()) {
            client.post(1, "/", "content-length", "0", "expect", "100-continue");
            assertThat(client.response(1).status()).isEqualTo(408);
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.REQUEST_TIMEOUT);
            assertThat(origin.connectionsAccepted()).isZero();
        }
    }

    @Test
    void aWithheldRequestIsLoggedWhenItsClientCancelsIt() throws Exception {
        try (ScriptedOrigin origin = echo();
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2()) {
            client.post(1, "/", "content-length", "0").cancel(1);
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.CLIENT_GONE);
            assertThat(origin.connectionsAccepted()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aBodyThatGrowsBeyondItsLengthIsNeverCompleteForAnOrigin(boolean trailers) throws Exception {
        AtomicBoolean complete = new AtomicBoolean();
        AtomicBoolean gone = new AtomicBoolean();
        ConnectionScript script = c -> {
            RawMessage head = c.readHead();
            try {
                c.readBody(head);
                complete.set(true);
            } finally {
                gone.set(true);
            }
        };
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(script.untilThePeerLeaves());
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2()) {
            client.post(1, "/", "content-length", "5")
                    .data(1, "he", false)
                    .data(1, "llo", false)
                    .sync();
            origin.awaitRequests(1);
            if (trailers) {
                client.headers(1, END_STREAM, ":path", "/");
            } else {
                client.data(1, "!", true);
            }
            assertThat(client.awaitReset(1)).isEqualTo(Http2Error.PROTOCOL_ERROR);
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.MALFORMED_REQUEST);
            eventually(() -> assertThat(gone).isTrue());
            assertThat(complete).isFalse();
        }
    }

    @Test
    void theLastBytesAreForwardedAtTheEndOfTheStreamAndHeldNoLonger() throws Exception {
        ConnectionScript script = c -> c.answerEvery(r -> Responses.ok(r.method() + " " + r.body()));
        long before = MemoryBudget.OF_PROCESS.left();
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(script.untilThePeerLeaves());
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2()) {
            client.post(1, "/", "content-length", "5")
                    .data(1, "he", false)
                    .data(1, "llo", false)
                    .sync();
            assertThat(MemoryBudget.OF_PROCESS.left()).isLessThanOrEqualTo(before - 3);
            assertThat(client.data(1, "", true).response(1).body()).isEqualTo("POST hello");
            client.post(3, "/", "content-length", "5")
                    .data(3, "hello", false)
                    .sync()
                    .cancel(3);
            client.sync();
            eventually(() -> assertThat(MemoryBudget.OF_PROCESS.left()).isGreaterThanOrEqualTo(before));
        }
    }

    // ---- responses

    private static Setup to(Http2Origin origin) {
        return Setup.to(origin.address()).pool(H2);
    }

    /** Reads the response to {@code method}, while the origin sends a head that announces no body and then a byte of one. */
    private static RawMessage bodyBehind(String method, String... head) throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).start();
                RawClient client = gateway.client()) {
            client.send(method + " / HTTP/1.1\r\nHost: a\r\n\r\n");
            Http2Client connection = origin.accept();
            connection.asked(1);
            connection.headers(1, NONE, head).data(1, "x", true);
            RawMessage response = client.readResponseTo(method);
            assertThat(connection.awaitReset(1)).isEqualTo(Http2Error.PROTOCOL_ERROR);
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.MALFORMED_RESPONSE);
            return response;
        }
    }

    @Test
    void aResponseThatAnnouncesNoBodyAndHasOneIsReplacedBy502() throws Exception {
        assertThat(bodyBehind("GET", ":status", "200", "content-length", "0").status())
                .isEqualTo(502);
        assertThat(bodyBehind("HEAD", ":status", "200", "content-length", "5").status())
                .isEqualTo(502);
        assertThat(bodyBehind("GET", ":status", "204").status()).isEqualTo(502);
        assertThat(bodyBehind("GET", ":status", "304").status()).isEqualTo(502);
    }

    @Test
    void aResponseThatAnnouncesNoBodyPassesAtTheEndOfItsStream() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).start();
                Http2Client client = gateway.http2()) {
            client.get(1, "/").headers(3, END_STREAM, request("HEAD", "/")).get(5, "/");
            Http2Client connection = origin.accept();
            connection.asked(1);
            connection.asked(3);
            connection.asked(5);
            connection.headers(1, NONE, ":status", "200", "content-length", "0").data(1, "", true);
            assertThat(client.response(1).status()).isEqualTo(200);
            connection.headers(3, NONE, ":status", "200", "content-length", "7").data(3, "", true);
            assertThat(client.response(3).value("content-length")).contains("7");
            connection.headers(5, NONE, ":status", "204").headers(5, END_STREAM, "x-sum", "1");
            assertThat(client.response(5).status()).isEqualTo(204);
        }
    }

    @Test
    void aGrpcClientReceivesAStatusInsteadOfAMalformedResponse() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).start();
                Http2Client client = gateway.http2()) {
            client.post(1, "/a", "content-type", "application/grpc", "te", "trailers")
                    .data(1, "hi", true);
            Http2Client connection = origin.accept();
            connection.asked(1);
            connection
                    .headers(1, NONE, ":status", "200", "content-type", "application/grpc", "content-length", "0")
                    .data(1, "x", true);
            Http2Response answer = client.response(1);
            assertThat(answer.value("grpc-status")).isPresent().get().isNotEqualTo("0");
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.MALFORMED_RESPONSE);
        }
    }

    @Test
    void aResponseThatGrowsBeyondItsLengthIsNeverCompleteForAClient() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).start();
                RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            Http2Client connection = origin.accept();
            connection.asked(1);
            connection.headers(1, NONE, ":status", "200", "content-length", "5").data(1, "he", false);
            RawMessage head = client.readHead();
            assertThat(head.value("content-length")).contains("5");
            assertThat(client.readBytes(2)).hasSize(2);
            connection.data(1, "llo", false).sync().data(1, "!", true);
            assertThat(connection.awaitReset(1)).isEqualTo(Http2Error.PROTOCOL_ERROR);
            assertThatThrownBy(() -> client.readBytes(3)).isInstanceOf(IOException.class);
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.MALFORMED_RESPONSE);
        }
    }
}
