package dev.lychgate.gateway;

import static dev.lychgate.gateway.Problems.assertProblem;
import static dev.lychgate.testing.Http2Client.CONNECT_PROTOCOL;
import static dev.lychgate.testing.Http2Client.END_STREAM;
import static dev.lychgate.testing.Http2Client.NONE;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.ByteSize;
import dev.lychgate.config.ListenerTimeouts;
import dev.lychgate.config.Transport;
import dev.lychgate.config.WebSocketConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.exchange.state.TunnelEnd;
import dev.lychgate.http2.Http2Error;
import dev.lychgate.testing.ConnectionScript;
import dev.lychgate.testing.Ending;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.Http2Response;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.Rfc;
import dev.lychgate.testing.ScriptedConnection;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.WebSockets;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** WebSockets of HTTP/2 clients, each on one stream (RFC 8441), to origins with HTTP/1.1. */
@ParameterizedClass
@EnumSource(names = {"AUTO", "NIO"})
@Tag("slow")
class Http2WebSocketTest {
    private static final byte[] HELLO = WebSockets.masked(WebSockets.TEXT, "hello");
    private static final String GOING_AWAY = text(WebSockets.plain(WebSockets.CLOSE, WebSockets.closing(1001)));
    private static final int MASKED_CLOSE = 8;

    @Parameter
    @SuppressWarnings("NullAway.Init") // by JUnit
    Transport transport;

    private Setup to(ScriptedOrigin origin) {
        return Setup.to(origin.address()).transport(transport).webSocket(WebSocketConfig.DEFAULT);
    }

    private static ScriptedOrigin echo() throws IOException {
        return ScriptedOrigin.start().onConnection(WebSockets::echo);
    }

    private static void open(Http2Client client, int stream) throws IOException {
        assertThat(client.webSocket(stream, "/").head(stream).status()).isEqualTo(200);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, ISO_8859_1);
    }

    @Test
    void theListenerAnnouncesExtendedConnect() throws Exception {
        try (Running gateway = new Setup().transport(transport).start();
                Http2Client client = gateway.http2()) {
            client.sync();
            assertThat(client.setting(CONNECT_PROTOCOL)).isEqualTo(1L);
        }
    }

    @Test
    void theOriginGetsAnUpgradeWithAKeyOfTheGateway() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    RawMessage asked = c.readRequest();
                    c.send(WebSockets.granted(asked, "Sec-WebSocket-Protocol: chat", "X-Origin: here"));
                    c.awaitEnd();
                });
                Running gateway = to(origin).start();
                Http2Client client = gateway.http2()) {
            client.webSocket(
                    1,
                    "/chat?room=1",
                    "sec-websocket-protocol",
                    "news, chat",
                    "sec-websocket-key",
                    WebSockets.KEY,
                    "sec-websocket-accept",
                    WebSockets.ACCEPT,
                    "origin",
                    "http://lychgate.test",
                    "cookie",
                    "a=1");
            Http2Response granted = client.head(1);
            assertThat(granted.status()).isEqualTo(200);
            assertThat(granted.value("sec-websocket-protocol")).contains("chat");
            assertThat(granted.value("x-origin")).contains("here");
            assertThat(granted.fields().stream().map(RawMessage.Field::name))
                    .doesNotContain("connection", "upgrade", "sec-websocket-accept", "content-length");
            RawMessage asked = origin.requests().get(0);
            assertThat(asked.startLine()).isEqualTo("GET /chat?room=1 HTTP/1.1");
            assertThat(asked.values("connection")).containsExactly("upgrade");
            assertThat(asked.values("upgrade")).containsExactly("websocket");
            assertThat(asked.values("sec-websocket-version")).containsExactly("13");
            assertThat(asked.values("sec-websocket-key")).hasSize(1).doesNotContain(WebSockets.KEY);
            assertThat(asked.has("sec-websocket-accept")).isFalse();
            assertThat(asked.has("transfer-encoding")).isFalse();
            assertThat(asked.values("host")).containsExactly("lychgate.test");
            assertThat(asked.values("origin")).containsExactly("http://lychgate.test");
            assertThat(asked.values("cookie")).containsExactly("a=1");
        }
    }

    @Test
    void bytesPassAsTheyAreMaskedOrNot() throws Exception {
        byte[] there = new byte[4 << 20];
        byte[] back = new byte[there.length + 1];
        new Random(1).nextBytes(there);
        new Random(2).nextBytes(back);
        CompletableFuture<@Nullable Void> heard = new CompletableFuture<>();
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    WebSockets.accept(c);
                    CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> {
                        try {
                            c.send(back);
                        } catch (IOException e) {
                            throw new IllegalStateException(e);
                        }
                    });
                    assertThat(c.readBytes(there.length)).isEqualTo(there);
                    heard.complete(null);
                    sent.get(10, TimeUnit.SECONDS);
                    c.awaitEnd();
                });
                Running gateway = to(origin).start();
                Http2Client client = gateway.http2()) {
            open(client, 1);
            client.upload(1, there);
            assertThat(client.bytes(1, back.length)).isEqualTo(text(back));
            heard.get(10, TimeUnit.SECONDS);
        }
    }

    @Test
    void earlyBytesWaitForTheAcceptedHandshake() throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    RawMessage asked = c.readRequest();
                    c.stallUntil(gate);
                    c.expectSilence(Duration.ofMillis(200));
                    c.send(WebSockets.granted(asked));
                    assertThat(c.readBytes(HELLO.length)).isEqualTo(HELLO);
                    c.awaitEnd();
                });
                Running gateway = to(origin).start();
                Http2Client client = gateway.http2()) {
            client.webSocket(1, "/").data(1, HELLO, false).sync();
            gate.open();
            assertThat(client.head(1).status()).isEqualTo(200);
            client.data(1, new byte[0], true).response(1);
            assertThat(gateway.nextOutcome().requestBytes()).isEqualTo(HELLO.length);
        }
    }

    @Test
    @Rfc({"8441, 5", "9110, 8.6"})
    void aContentLengthOfTheHandshakeDoesNotLimitTheTunnel() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    RawMessage asked = c.readRequest();
                    c.send(WebSockets.granted(asked));
                    assertThat(c.readBytes(HELLO.length)).isEqualTo(HELLO);
                    c.awaitEnd();
                });
                Running gateway = to(origin).start();
                Http2Client client = gateway.http2()) {
            client.webSocket(1, "/", "content-length", "0");
            assertThat(client.head(1).status()).isEqualTo(200);
            client.data(1, HELLO, false).data(1, new byte[0], true).response(1);
            assertThat(gateway.nextOutcome().requestBytes()).isEqualTo(HELLO.length);
        }
    }

    @Test
    void anyOtherResponseIsAnOrdinaryOneAndTheConnectionContinues() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start()
                        .onConnection(c -> c.answerEvery(r -> r.has("upgrade")
                                ? Responses.of(403, "not you", "X-Why: mood")
                                : Responses.ok("plain")));
                Running gateway = to(origin).start();
                Http2Client client = gateway.http2()) {
            client.webSocket(1, "/").data(1, HELLO, false);
            Http2Response refused = client.response(1);
            assertThat(refused.status()).isEqualTo(403);
            assertThat(refused.value("x-why")).contains("mood");
            assertThat(refused.body()).isEqualTo("not you");
            assertThat(client.awaitReset(1)).isEqualTo(Http2Error.NO_ERROR);
            assertThat(client.get(3, "/").response(3).body()).isEqualTo("plain");
            assertThat(origin.connectionsAccepted()).isEqualTo(1);
            assertThat(origin.requests().get(1).body()).isEmpty();
        }
    }

    @Test
    void aGrantThatIsNoneIsABadGateway() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readRequest();
                    c.send(Responses.head(101, "Upgrade: websocket", "Connection: Upgrade") + "\r\n");
                    c.awaitEnd();
                });
                Running gateway = to(origin).start();
                Http2Client client = gateway.http2()) {
            assertProblem(client.webSocket(1, "/").response(1), 502, ErrorKind.MALFORMED_RESPONSE);
        }
    }

    @Test
    void aRouteWithoutWebSocketsRefuses() throws Exception {
        try (ScriptedOrigin origin = echo();
                Running gateway =
                        Setup.to(origin.address()).transport(transport).start();
                Http2Client client = gateway.http2()) {
            assertProblem(client.webSocket(1, "/").response(1), 403, ErrorKind.WEBSOCKET_NOT_SERVED);
            assertThat(origin.connectionsAccepted()).isZero();
        }
    }

    @Test
    void aPageOfAnotherSiteIsRefused() throws Exception {
        try (ScriptedOrigin origin = echo();
                Running gateway = to(origin).start();
                Http2Client client = gateway.http2()) {
            client.webSocket(1, "/", "origin", "https://evil.example");
            assertProblem(client.response(1), 403, ErrorKind.ORIGIN_NOT_ALLOWED);
            client.webSocket(3, "/", "origin", "https://lychgate.test");
            assertThat(client.head(3).status()).isEqualTo(200);
        }
    }

    @Test
    void noMoreAreOpenThanTheRouteAllows() throws Exception {
        WebSocketConfig one = new WebSocketConfig(List.of(), false, Duration.ZERO, Duration.ZERO, 1);
        try (ScriptedOrigin origin = echo();
                Running gateway = to(origin).webSocket(one).start();
                Http2Client client = gateway.http2()) {
            open(client, 1);
            assertProblem(client.webSocket(3, "/").response(3), 503, ErrorKind.BULKHEAD_FULL);
            client.cancel(1);
            gateway.nextOutcome();
            gateway.nextOutcome();
            open(client, 5);
        }
    }

    @Test
    void malformedHandshakesEndByAnErrorWithoutAnEffectOnOthers() throws Exception {
        try (ScriptedOrigin origin = echo();
                Running gateway = to(origin).start();
                Http2Client client = gateway.http2()) {
            open(client, 1);
            client.headers(3, NONE, Http2Client.request("GET", "/", "x", "y", ":protocol", "websocket"));
            client.headers(5, NONE, ":method", "CONNECT", ":protocol", "websocket", ":authority", "a", ":path", "/");
            client.webSocket(7, "/", "upgrade", "websocket");
            for (int stream = 3; stream <= 7; stream += 2) {
                assertThat(client.response(stream).status()).isEqualTo(400);
                assertThat(client.awaitReset(stream)).isEqualTo(Http2Error.PROTOCOL_ERROR);
            }
            client.headers(
                    9,
                    NONE,
                    ":method",
                    "CONNECT",
                    ":protocol",
                    "connect-ip",
                    ":scheme",
                    "http",
                    ":authority",
                    "a",
                    ":path",
                    "/");
            assertThat(client.response(9).status()).isEqualTo(501);
            client.webSocket(11, "/", "content-length", "2").data(11, "hi", true);
            assertThat(client.response(11).status()).isEqualTo(400);
            client.webSocket(13, "/", "sec-websocket-version", "13");
            assertThat(client.response(13).status()).isEqualTo(400);
            assertThat(origin.connectionsAccepted()).isEqualTo(1);
            assertThat(client.data(1, HELLO, false).bytes(1, HELLO.length)).isEqualTo(text(HELLO));
        }
    }

    @Test
    void anotherVersionGetsTheSupportedOne() throws Exception {
        try (Running gateway = new Setup().transport(transport).start();
                Http2Client client = gateway.http2()) {
            client.headers(
                    1,
                    NONE,
                    ":method",
                    "CONNECT",
                    ":protocol",
                    "websocket",
                    ":scheme",
                    "http",
                    ":authority",
                    "a",
                    ":path",
                    "/",
                    "sec-websocket-version",
                    "8");
            Http2Response refused = client.response(1);
            assertThat(refused.status()).isEqualTo(426);
            assertThat(refused.value("sec-websocket-version")).contains("13");
            assertThat(refused.fields().stream().map(RawMessage.Field::name)).doesNotContain("connection", "upgrade");
        }
    }

    @Test
    void fieldsBehindTheConnectAreAFault() throws Exception {
        try (ScriptedOrigin origin = echo();
                Running gateway = to(origin).start();
                Http2Client client = gateway.http2()) {
            open(client, 1);
            client.headers(1, END_STREAM, "x-trailer", "late");
            assertThat(client.awaitReset(1)).isEqualTo(Http2Error.PROTOCOL_ERROR);
            origin.awaitOpenConnections(0);
            assertThat(gateway.nextOutcome().tunnel()).isEqualTo(TunnelEnd.CLIENT_GONE);
        }
    }

    @Test
    void twoOfThemAndOrdinaryRequestsShareAConnection() throws Exception {
        ConnectionScript script = c -> {
            RawMessage asked = c.readRequest();
            if (!asked.has("upgrade")) {
                c.send(Responses.of(200, "plain", "Connection: close"));
                return;
            }
            c.send(WebSockets.granted(asked));
            byte[] first = c.readBytes(HELLO.length);
            c.send(asked.startLine().split(" ", -1)[1] + text(first));
            c.awaitEnd();
        };
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(script);
                Running gateway = to(origin).start();
                Http2Client client = gateway.http2()) {
            client.webSocket(1, "/a").webSocket(3, "/b").get(5, "/");
            assertThat(client.head(3).status()).isEqualTo(200);
            assertThat(client.head(1).status()).isEqualTo(200);
            client.data(3, HELLO, false).data(1, HELLO, false);
            assertThat(client.bytes(1, 2 + HELLO.length)).isEqualTo("/a" + text(HELLO));
            assertThat(client.bytes(3, 2 + HELLO.length)).isEqualTo("/b" + text(HELLO));
            assertThat(client.response(5).body()).isEqualTo("plain");
            assertThat(client.get(7, "/").response(7).body()).isEqualTo("plain");
            assertThat(gateway.counters().http2Connections()).isEqualTo(1);
        }
    }

    // ---- ends

    @Test
    void aClientThatHasEndedItsSideStillReceives() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    WebSockets.accept(c);
                    assertThat(c.readBytes(HELLO.length)).isEqualTo(HELLO);
                    assertThat(c.awaitEnd()).isEqualTo(Ending.CLOSED);
                    c.send(HELLO);
                });
                Running gateway = to(origin).start();
                Http2Client client = gateway.http2()) {
            open(client, 1);
            client.data(1, HELLO, true);
            Http2Response all = client.response(1);
            assertThat(all.body()).isEqualTo(text(HELLO));
            assertThat(all.isEnded()).isTrue();
            assertThat(all.reset()).isNull();
            Outcome outcome = gateway.nextOutcome();
            assertThat(outcome.tunnel()).isEqualTo(TunnelEnd.CLIENT_GONE);
            assertThat(outcome.error()).isNull();
        }
    }

    @Test
    void anOriginThatEndsEndsTheStreamBehindItsLastByte() throws Exception {
        byte[] last = WebSockets.plain(2, new byte[1 << 20]);
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    WebSockets.accept(c);
                    c.send(last).halfClose();
                    c.awaitEnd();
                });
                Running gateway = to(origin).start();
                Http2Client client = gateway.http2()) {
            open(client, 1);
            Http2Response all = client.response(1);
            assertThat(all.bytes()).isEqualTo(last.length);
            assertThat(all.isEnded()).isTrue();
            assertThat(client.awaitReset(1)).isEqualTo(Http2Error.NO_ERROR);
            Outcome outcome = gateway.nextOutcome();
            assertThat(outcome.tunnel()).isEqualTo(TunnelEnd.ORIGIN_GONE);
            assertThat(outcome.error()).isNull();
            origin.awaitOpenConnections(0);
        }
    }

    @Test
    void aResetOfTheClientResetsTheOrigin() throws Exception {
        CompletableFuture<Ending> seen = new CompletableFuture<>();
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    WebSockets.accept(c);
                    c.readBytes(HELLO.length);
                    seen.complete(c.awaitEnd());
                });
                Running gateway = to(origin).start();
                Http2Client client = gateway.http2()) {
            open(client, 1);
            client.data(1, HELLO, false).sync();
            client.cancel(1);
            assertThat(seen.get(10, TimeUnit.SECONDS)).isEqualTo(Ending.RESET);
            Outcome outcome = gateway.nextOutcome();
            assertThat(outcome.status()).isEqualTo(101);
            assertThat(outcome.error()).isEqualTo(ErrorKind.CLIENT_GONE);
            assertThat(outcome.tunnel()).isEqualTo(TunnelEnd.CLIENT_GONE);
        }
    }

    @Test
    void aResetAfterACloseFrameIsARegularEnd() throws Exception {
        byte[] bye = WebSockets.masked(WebSockets.CLOSE, WebSockets.closing(1000));
        byte[] byeToo = WebSockets.plain(WebSockets.CLOSE, WebSockets.closing(1000));
        CompletableFuture<Ending> seen = new CompletableFuture<>();
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    WebSockets.accept(c);
                    assertThat(c.readBytes(bye.length)).isEqualTo(bye);
                    c.send(byeToo);
                    seen.complete(c.awaitEnd());
                });
                Running gateway = to(origin).start();
                Http2Client client = gateway.http2()) {
            open(client, 1);
            client.data(1, bye, false);
            assertThat(client.bytes(1, byeToo.length)).isEqualTo(text(byeToo));
            client.cancel(1);
            assertThat(seen.get(10, TimeUnit.SECONDS)).isEqualTo(Ending.CLOSED);
            Outcome outcome = gateway.nextOutcome();
            assertThat(outcome.tunnel()).isEqualTo(TunnelEnd.CLIENT_CLOSED);
            assertThat(outcome.error()).isNull();
        }
    }

    @Test
    void aResetOfTheOriginResetsTheStream() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    WebSockets.accept(c);
                    c.readBytes(1);
                    c.reset();
                });
                Running gateway = to(origin).start();
                Http2Client client = gateway.http2()) {
            open(client, 1);
            client.data(1, "x", false);
            assertThat(client.awaitReset(1)).isEqualTo(Http2Error.CANCEL);
            assertThat(client.stream(1).isEnded()).isFalse();
            Outcome outcome = gateway.nextOutcome();
            assertThat(outcome.error()).isEqualTo(ErrorKind.ORIGIN_RESET);
            assertThat(outcome.tunnel()).isEqualTo(TunnelEnd.ORIGIN_GONE);
        }
    }

    @Test
    void aClientThatLeavesBeforeTheGrantEndsTheHandshake() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readRequest();
                    c.awaitEnd();
                });
                Running gateway = to(origin).start();
                Http2Client client = gateway.http2()) {
            client.webSocket(1, "/").data(1, HELLO, false).sync();
            origin.awaitRequests(1);
            client.cancel(1);
            origin.awaitOpenConnections(0);
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.CLIENT_GONE);
        }
    }

    @Test
    void aConnectionThatIsLostEndsAllOfItsWebSockets() throws Exception {
        try (ScriptedOrigin origin = echo();
                Running gateway = to(origin).start()) {
            try (Http2Client client = gateway.http2()) {
                open(client, 1);
                open(client, 3);
            }
            origin.awaitOpenConnections(0);
            assertThat(gateway.nextOutcome().tunnel()).isEqualTo(TunnelEnd.CLIENT_GONE);
        }
    }

    private static void hearGoingAway(ScriptedConnection c) throws IOException {
        assertThat(WebSockets.closeCode(c.readBytes(MASKED_CLOSE))).isEqualTo(1001);
        c.send(WebSockets.plain(WebSockets.CLOSE, WebSockets.closing(1001)));
        c.awaitEnd();
    }

    @Test
    void drainingEndsThemInOrder() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    WebSockets.accept(c);
                    hearGoingAway(c);
                });
                Running gateway = to(origin).start();
                Http2Client client = gateway.http2()) {
            open(client, 1);
            open(client, 3);
            CompletableFuture<Integer> cut = CompletableFuture.supplyAsync(() -> gateway.drain(Duration.ofSeconds(10)));
            for (int stream = 1; stream <= 3; stream += 2) {
                assertThat(client.bytes(stream, 4)).isEqualTo(GOING_AWAY);
                client.data(stream, WebSockets.masked(WebSockets.CLOSE, WebSockets.closing(1001)), true);
                assertThat(client.response(stream).isEnded()).isTrue();
            }
            client.awaitGoAwayAndEnd();
            client.halfClose();
            assertThat(cut.get(10, TimeUnit.SECONDS)).isZero();
            assertThat(gateway.nextOutcome().tunnel()).isEqualTo(TunnelEnd.DRAIN);
        }
    }

    @Test
    void oneThatIsSilentForTooLongIsEnded() throws Exception {
        WebSocketConfig brief = new WebSocketConfig(List.of(), false, Duration.ofMillis(300), Duration.ZERO, 10);
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    WebSockets.accept(c);
                    hearGoingAway(c);
                });
                Running gateway = to(origin).webSocket(brief).start();
                Http2Client client = gateway.http2()) {
            open(client, 1);
            assertThat(client.bytes(1, 4)).isEqualTo(GOING_AWAY);
            client.data(1, WebSockets.masked(WebSockets.CLOSE, WebSockets.closing(1001)), false);
            assertThat(client.response(1).isEnded()).isTrue();
            assertThat(gateway.nextOutcome().tunnel()).isEqualTo(TunnelEnd.IDLE);
        }
    }

    // ---- backpressure, and the limits of bodies, which do not apply to tunnels

    @Test
    void aClientThatOpensNoWindowStopsTheOrigin() throws Exception {
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
                Http2Client client = gateway.http2().openingNoWindow()) {
            open(client, 1);
            gate.await();
            client.bytes(1, 65_535);
            client.sync();
            assertThat(connection.get().bytesSent()).isLessThan(24 << 20);
            assertThat(client.stream(1).bytes()).isEqualTo(65_535);
        }
    }

    @Test
    void anOriginThatDoesNotReadPausesItsClientOnly() throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin origin = ScriptedOrigin.startWithReceiveBuffer(16 << 10)
                        .onNextConnection(c -> {
                            WebSockets.accept(c);
                            c.stallUntil(gate);
                        })
                        .onConnection(WebSockets::echo);
                Running gateway = to(origin).start();
                Http2Client client = gateway.http2()) {
            open(client, 1);
            try {
                client.within(Duration.ofSeconds(1)).upload(1, 64 << 20);
                throw new IllegalStateException("all of it was read");
            } catch (IOException | AssertionError e) {
                assertThat(client.bytesSent()).isLessThan(24 << 20);
            }
            client.within(Duration.ofSeconds(10));
            open(client, 3);
            assertThat(client.data(3, HELLO, false).bytes(3, HELLO.length)).isEqualTo(text(HELLO));
            gate.open();
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
                Http2Client client = gateway.http2().openingNoWindow()) {
            open(client, 1);
            assertThat(client.awaitReset(1)).isEqualTo(Http2Error.CANCEL);
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
        try (ScriptedOrigin origin = echo();
                Running gateway = to(origin)
                        .clients(impatient)
                        .bodyLimit(new ByteSize(10))
                        .timeouts(Setup.waiting(Duration.ofSeconds(5), Duration.ofSeconds(5), limit, limit, limit))
                        .start();
                Http2Client client = gateway.http2()) {
            open(client, 1);
            Thread.sleep(1700);
            for (int i = 1; i <= 5; i++) {
                client.data(1, HELLO, false).bytes(1, (long) i * HELLO.length);
            }
            assertThat(client.stream(1).reset()).isNull();
        }
    }
}
