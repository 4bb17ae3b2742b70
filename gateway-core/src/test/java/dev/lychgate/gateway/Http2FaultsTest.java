package dev.lychgate.gateway;

import static dev.lychgate.testing.Http2Client.END_STREAM;
import static dev.lychgate.testing.Http2Client.NONE;
import static dev.lychgate.testing.Http2Client.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.Http2Config;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.http2.Http2Error;
import dev.lychgate.testing.ConnectionScript;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.Rfc;
import dev.lychgate.testing.ScriptedOrigin;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Clients that violate HTTP/2: a stream or the connection ends by the right error, and no other one does. */
@Tag("slow")
class Http2FaultsTest {
    private static final String MISDEED = "dev.lychgate.gateway.Http2Misdeed#";

    private static ScriptedOrigin waitingFor(Gate gate) {
        ConnectionScript script = c -> {
            c.readHead();
            gate.await();
            c.send(Responses.of(200, "answered", "Connection: close"));
            c.awaitEnd();
        };
        return ScriptedOrigin.start().onConnection(script.untilThePeerLeaves());
    }

    @ParameterizedTest
    @MethodSource(MISDEED + "endingConnections")
    @Rfc({"9113, 5.4.1", "9113, 6"})
    void aFaultOfTheConnectionEndsIt(Http2Misdeed fault) throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin origin = waitingFor(gate);
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2();
                Http2Client other = gateway.http2()) {
            other.get(1, "/");
            client.post(1, "/");
            origin.awaitRequests(2);
            fault.on(client, 1);
            assertThat(client.awaitGoAwayAndEnd().error()).isEqualTo(fault.error());
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.MALFORMED_REQUEST);
            assertThat(gateway.counters().http2Faults(fault.error())).isEqualTo(1);
            gate.open();
            assertThat(other.response(1).body()).isEqualTo("answered");
        }
    }

    @ParameterizedTest
    @MethodSource(MISDEED + "endingStreams")
    @Rfc({"9113, 5.4.2", "9113, 8.1.1"})
    void aFaultOfAStreamEndsItAlone(Http2Misdeed fault) throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin origin = waitingFor(gate);
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2()) {
            client.get(1, "/").post(3, "/", "content-length", "5");
            origin.awaitRequests(2);
            fault.on(client, 3);
            assertThat(client.awaitReset(3)).isEqualTo(fault.error());
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.MALFORMED_REQUEST);
            assertThat(gateway.counters().http2Faults(fault.error())).isEqualTo(1);
            gate.open();
            assertThat(client.response(1).body()).isEqualTo("answered");
            assertThat(client.goAways()).isEmpty();
        }
    }

    @Test
    @Rfc({"9113, 8.1.1", "9113, 8.2.1"})
    void aMalformedRequestIsAnsweredAndItsStreamReset() throws Exception {
        try (Running gateway = new Setup().start();
                Http2Client client = gateway.http2()) {
            client.get(1, "/", "transfer-encoding", "chunked");
            assertThat(client.awaitReset(1)).isEqualTo(Http2Error.PROTOCOL_ERROR);
            assertThat(client.stream(1).status()).isEqualTo(400);
            assertThat(client.stream(1).body()).contains(ErrorKind.MALFORMED_REQUEST.label());
            assertThat(client.stream(1).isEnded()).isFalse();
            assertThat(gateway.nextOutcome().status()).isEqualTo(400);
            assertThat(gateway.counters().http2Faults(Http2Error.PROTOCOL_ERROR))
                    .isEqualTo(1);
            client.sync();
        }
    }

    @Test
    @Rfc("9113, 5.1.2")
    void refusesStreamsBeyondTheLimitAndIgnoresTheirFrames() throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin origin = waitingFor(gate);
                Running gateway = Setup.to(origin.address()).http2(limits(2, 5)).start();
                Http2Client client = gateway.http2()) {
            client.get(1, "/").get(3, "/").post(5, "/");
            for (int i = 0; i < 20; i++) {
                client.data(5, "what was on its way", false);
            }
            client.headers(5, END_STREAM, "x-sum", "1");
            assertThat(client.awaitReset(5)).isEqualTo(Http2Error.REFUSED_STREAM);
            origin.awaitRequests(2);
            gate.open();
            assertThat(client.response(1).body()).isEqualTo("answered");
            assertThat(client.response(3).body()).isEqualTo("answered");
            assertThat(client.post(7, "/").data(7, "x", true).response(7).reset())
                    .isNull();
            assertThat(client.goAways()).isEmpty();
            assertThat(gateway.counters().http2Faults(Http2Error.REFUSED_STREAM))
                    .isEqualTo(1);
        }
    }

    @Test
    @Rfc("9113, 5.1")
    void ignoresFramesOnAResetStream() throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin origin = waitingFor(gate);
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2()) {
            client.post(1, "/", "content-length", "1").data(1, "12", false);
            client.data(1, "3", false)
                    .windowUpdate(1, 7)
                    .headers(1, END_STREAM, "x", "y")
                    .cancel(1)
                    .sync();
            assertThat(client.goAways()).isEmpty();
        }
    }

    @Test
    @Rfc({"9113, 5.1", "9113, 5.5", "9113, 6.3"})
    void ignoresUnknownFramesAndSettings() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("answered")));
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2()) {
            client.frame(99, 0xff, 77, new byte[100])
                    .frame(Http2Client.PRIORITY, NONE, 5, new byte[5])
                    .settings(0x99, 7)
                    .get(1, "/")
                    .response(1);
            client.frame(Http2Client.PRIORITY, NONE, 1, new byte[5])
                    .windowUpdate(1, 1)
                    .cancel(1)
                    .sync();
            assertThat(client.goAways()).isEmpty();
        }
    }

    @Test
    @Rfc({"9113, 6.2", "9113, 6.10"})
    void aHeaderBlockMayComeInPiecesWithPaddingAndPriority() throws Exception {
        byte[] block = Http2Client.block(request("GET", "/pieces"));
        byte[] first = new byte[1 + 5 + 1 + 3];
        first[0] = 3;
        first[6] = block[0];
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok(r.target())));
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2()) {
            client.frame(Http2Client.HEADERS, END_STREAM | Http2Client.PADDED | Http2Client.WITH_PRIORITY, 1, first);
            for (int i = 1; i < 11; i++) {
                client.frame(Http2Client.CONTINUATION, NONE, 1, block[i]);
            }
            client.frame(
                    Http2Client.CONTINUATION,
                    Http2Client.END_HEADERS,
                    1,
                    java.util.Arrays.copyOfRange(block, 11, block.length));
            assertThat(client.response(1).body()).isEqualTo("/pieces");
        }
    }

    static Http2Config limits(int streams, int resets) {
        Http2Config usual = Http2Config.DEFAULT;
        return new Http2Config(streams, usual.streamWindow(), usual.connectionWindow(), resets);
    }
}
