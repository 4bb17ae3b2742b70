package dev.lychgate.gateway;

import static dev.lychgate.testing.Http2Client.INITIAL_WINDOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.ByteSize;
import dev.lychgate.config.ListenerProtocol;
import dev.lychgate.config.ListenerTimeouts;
import dev.lychgate.config.RouteTimeouts;
import dev.lychgate.config.SocketOptions;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.http2.Http2Error;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.Http2Client.GoAway;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.Rfc;
import dev.lychgate.testing.ScriptedOrigin;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every time limit of an HTTP/2 client, each short here. */
@Tag("slow")
class Http2TimeoutsTest {
    private static final Duration SHORT = Duration.ofMillis(400);
    private static final Duration LONG = Duration.ofSeconds(30);
    /** Shorter than the whole steady transfer, and more than ten times as long as its longest pause. */
    private static final Duration STEADY = Duration.ofSeconds(2);

    private static ListenerTimeouts clients(Duration head, Duration body, Duration idle, Duration write) {
        return new ListenerTimeouts(head, body, idle, write);
    }

    private static ScriptedOrigin silent() {
        return ScriptedOrigin.start().onConnection(c -> {
            c.readHead();
            c.awaitEnd();
        });
    }

    private static ScriptedOrigin echo() {
        return ScriptedOrigin.answering((r, c) -> c.send(Responses.ok(r.body())));
    }

    @Test
    @Rfc("9110, 15.5.9")
    void silenceWithinABodyCausesAnErrorAndOtherStreamsContinue() throws Exception {
        try (ScriptedOrigin origin = silent();
                Running gateway = Setup.to(origin.address())
                        .clients(clients(LONG, SHORT, LONG, LONG))
                        .start();
                Http2Client client = gateway.http2()) {
            client.get(1, "/").post(3, "/").data(3, "ab", false);
            assertThat(client.response(3).status()).isEqualTo(408);
            assertThat(client.stream(3).body()).contains(ErrorKind.REQUEST_TIMEOUT.label());
            assertThat(client.awaitReset(3)).isEqualTo(Http2Error.NO_ERROR);
            assertThat(client.sync().stream(1).hasHead()).isFalse();
        }
    }

    @Test
    void aSlowButSteadyBodyIsNotCutOff() throws Exception {
        try (ScriptedOrigin origin = echo();
                Running gateway = Setup.to(origin.address())
                        .clients(clients(STEADY, STEADY, STEADY, STEADY))
                        .start();
                Http2Client client = gateway.http2()) {
            client.post(1, "/");
            for (int i = 0; i < 15; i++) {
                Thread.sleep(150);
                client.data(1, "x", i == 14);
            }
            assertThat(client.response(1).body()).hasSize(15);
        }
    }

    /** A large frame on a slow line is incomplete at every check. */
    @Test
    void aSlowButSteadyFrameOfABodyIsNotCutOff() throws Exception {
        byte[] frame = Http2Client.bytes(Http2Client.DATA, Http2Client.END_STREAM, 1, new byte[1500]);
        try (ScriptedOrigin origin = echo();
                Running gateway = Setup.to(origin.address())
                        .clients(clients(STEADY, STEADY, STEADY, STEADY))
                        .start();
                Http2Client client = gateway.http2()) {
            client.post(1, "/");
            for (int at = 0; at < frame.length; at += 100) {
                Thread.sleep(150);
                client.send(Arrays.copyOfRange(frame, at, Math.min(frame.length, at + 100)));
            }
            assertThat(client.response(1).body()).hasSize(1500);
        }
    }

    @Test
    @Rfc("9110, 10.1.1")
    void aClientThatWaitsForAContinueIsNotAtFault() throws Exception {
        RouteTimeouts short1 = Setup.waiting(LONG, LONG, Duration.ofMillis(1500), LONG, Duration.ZERO);
        try (ScriptedOrigin origin = silent();
                Running gateway = Setup.to(origin.address())
                        .clients(clients(LONG, SHORT, LONG, LONG))
                        .timeouts(short1)
                        .start();
                Http2Client client = gateway.http2()) {
            client.post(1, "/", "expect", "100-continue");
            assertThat(client.response(1).status()).isEqualTo(504);
        }
    }

    @Test
    void aStalledOriginIsNotItsClientsSilence() throws Exception {
        Duration silence = Duration.ofMillis(1500);
        RouteTimeouts exchange = Setup.waiting(LONG, LONG, LONG, LONG, Duration.ofMillis(2800));
        try (ScriptedOrigin origin = ScriptedOrigin.startWithReceiveBuffer(16 << 10)
                        .onConnection(c -> {
                            c.readHead();
                            c.stall();
                        });
                Running gateway = Setup.to(origin.address())
                        .clients(clients(LONG, silence, LONG, LONG))
                        .timeouts(exchange)
                        .start();
                Http2Client client = gateway.http2().sync()) {
            client.post(1, "/");
            long left = 0;
            for (int i = 0; i < 1000 && (left = 256 * 1024 + client.credit(1) - client.bytesSent()) > 20_000; i++) {
                client.data(1, new byte[16 * 1024], false).sync();
            }
            assertThat(client.response(1).status()).isEqualTo(504);
        }
    }

    @Test
    void anUnreadResponseIsAbortedAlone() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("x".repeat(50_000))));
                Running gateway = Setup.to(origin.address())
                        .clients(clients(LONG, LONG, LONG, SHORT))
                        .start();
                Http2Client client = gateway.http2(INITIAL_WINDOW, 10)) {
            client.openingNoWindow().get(1, "/");
            assertThat(client.awaitReset(1)).isEqualTo(Http2Error.CANCEL);
            assertThat(client.stream(1).bytes()).isEqualTo(10);
            client.settings(INITIAL_WINDOW, 60_000).get(3, "/");
            assertThat(client.response(3).bytes()).isEqualTo(50_000);
        }
    }

    @Test
    void anUnreadResponseIsReportedAsAFaultOfItsClient() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readRequest();
                    c.send(Responses.head(200, "Content-Length: 1000") + "\r\nsome of it");
                    c.awaitEnd();
                });
                Running gateway = Setup.to(origin.address())
                        .clients(clients(LONG, LONG, LONG, SHORT))
                        .start();
                Http2Client client = gateway.http2(INITIAL_WINDOW, 0)) {
            assertThat(client.get(1, "/").awaitReset(1)).isEqualTo(Http2Error.CANCEL);
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.CLIENT_STALLED);
            origin.awaitOpenConnections(0);
        }
    }

    @Test
    void aClientThatDoesNotReadIsDisconnected() throws Exception {
        SocketOptions small = new SocketOptions(
                64, false, new ByteSize(0), ByteSize.ofKiB(16), ByteSize.ofKiB(16), ByteSize.ofKiB(32));
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readRequest();
                    try {
                        c.send(Responses.ok("x".repeat(20_000_000)));
                    } catch (java.net.SocketException cut) {
                        // As it should be.
                    }
                });
                Running gateway = Setup.to(origin.address())
                        .socket(small)
                        .clients(clients(LONG, LONG, LONG, SHORT))
                        .start();
                Http2Client client =
                        Http2Client.silentWithReceiveBuffer(gateway.gateway().address("main"), 8192)) {
            client.preface(INITIAL_WINDOW, Integer.MAX_VALUE).windowUpdate(0, 1 << 30);
            client.get(1, "/");
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.CLIENT_STALLED);
            origin.awaitOpenConnections(0);
        }
    }

    @Test
    void anIdleConnectionGetsGoawayAndIsClosed() throws Exception {
        try (ScriptedOrigin origin = echo();
                Running gateway = Setup.to(origin.address())
                        .clients(clients(LONG, LONG, Duration.ofSeconds(1), LONG))
                        .start();
                Http2Client used = gateway.http2();
                Http2Client unused = gateway.http2()) {
            used.get(1, "/").response(1);
            assertThat(used.awaitGoAwayAndEnd()).isEqualTo(new GoAway(1, Http2Error.NO_ERROR));
            assertThat(unused.awaitGoAwayAndEnd()).isEqualTo(new GoAway(0, Http2Error.NO_ERROR));
            assertThat(gateway.counters().idleTimeouts()).isEqualTo(2);
        }
    }

    @Test
    void aConnectionWithARequestUnderWayIsNotIdle() throws Exception {
        Duration limit = Duration.ofMillis(800);
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> {
                    Thread.sleep(1300);
                    c.send(Responses.ok("late"));
                });
                Running gateway = Setup.to(origin.address())
                        .clients(clients(limit, limit, limit, limit))
                        .start();
                Http2Client client = gateway.http2()) {
            assertThat(client.get(1, "/").response(1).body()).isEqualTo("late");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8, 9, 12})
    void aFrameThatDoesNotEndIsNotWaitedForForever(int bytes) throws Exception {
        byte[] frame = Http2Client.bytes(Http2Client.PING, 0, 0, new byte[8]);
        try (Running gateway =
                        new Setup().clients(clients(SHORT, LONG, LONG, LONG)).start();
                Http2Client client = gateway.http2().sync()) {
            client.send(Arrays.copyOf(frame, bytes));
            assertThat(client.awaitGoAwayAndEnd().error()).isEqualTo(Http2Error.ENHANCE_YOUR_CALM);
        }
    }

    @Test
    void continuationsThatKeepComingDoNotProlongAHeaderBlock() throws Exception {
        try (Running gateway =
                        new Setup().clients(clients(SHORT, LONG, LONG, LONG)).start();
                Http2Client client = gateway.http2().sync()) {
            client.frame(Http2Client.HEADERS, 0, 1);
            for (int i = 0; i < 12; i++) {
                Thread.sleep(100);
                try {
                    client.frame(Http2Client.CONTINUATION, 0, 1);
                } catch (java.net.SocketException ended) {
                    break;
                }
            }
            assertThat(client.awaitGoAwayAndEnd().error()).isEqualTo(Http2Error.ENHANCE_YOUR_CALM);
        }
    }

    @Test
    void aConnectionWithoutBytesIsIdleWithOnlyHttp2() throws Exception {
        try (Running gateway = new Setup()
                        .speaking(ListenerProtocol.H2)
                        .clients(clients(LONG, LONG, SHORT, LONG))
                        .start();
                Http2Client client =
                        Http2Client.silent(gateway.gateway().address("main")).answeringNothing()) {
            assertThat(client.awaitGoAwayAndEnd().error()).isEqualTo(Http2Error.NO_ERROR);
        }
    }
}
