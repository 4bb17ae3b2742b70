package dev.lychgate.gateway;

import static dev.lychgate.gateway.Problems.assertProblem;
import static dev.lychgate.testing.Http2Client.CONNECT_PROTOCOL;
import static dev.lychgate.testing.Http2Client.END_STREAM;
import static dev.lychgate.testing.Http2Client.NONE;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.PoolConfig;
import dev.lychgate.config.RouteTimeouts;
import dev.lychgate.config.UpstreamProtocol;
import dev.lychgate.config.WebSocketConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.exchange.state.TunnelEnd;
import dev.lychgate.http2.Http2Error;
import dev.lychgate.testing.Eventually;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.Http2Origin;
import dev.lychgate.testing.Http2Response;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.WebSockets;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** WebSockets to HTTP/2 origins, each on a stream of a connection that carries others, too (RFC 8441). */
@Tag("slow")
class Http2OriginWebSocketTest {
    private static final byte[] HELLO = WebSockets.masked(WebSockets.TEXT, "hello");
    private static final byte[] WORLD = WebSockets.plain(WebSockets.TEXT, "world");
    private static final byte[] GOING_AWAY = WebSockets.plain(WebSockets.CLOSE, WebSockets.closing(1001));
    private static final int NO_ERROR = 0;
    private static final int CANCEL = 8;
    private static final int REFUSED_STREAM = 7;
    private static final int MASKED_CLOSE = 8;
    private static final PoolConfig H2 = PoolConfig.DEFAULT.speaking(UpstreamProtocol.H2);

    private static Setup to(Http2Origin origin) {
        return Setup.to(origin.address()).pool(H2).webSocket(WebSocketConfig.DEFAULT);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, ISO_8859_1);
    }

    private static Http2Client grant(Http2Client connection, int stream) throws IOException {
        connection.asked(stream);
        return connection.headers(stream, NONE, ":status", "200");
    }

    /** Opens the first one on a new connection. */
    private static Http2Client open(RawClient client, Http2Origin origin) throws IOException {
        client.send(WebSockets.handshake("/"));
        Http2Client connection = grant(origin.accept(CONNECT_PROTOCOL, 1), 1);
        assertThat(client.readHead().status()).isEqualTo(101);
        return connection;
    }

    @Test
    void aHandshakeOfHttp1BecomesAnExtendedConnect() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).start();
                RawClient client = gateway.client()) {
            client.send(WebSockets.handshake(
                    "/chat?room=1", "Sec-WebSocket-Protocol: news, chat", "Origin: http://a.example", "Cookie: a=1"));
            Http2Client connection = origin.accept(CONNECT_PROTOCOL, 1);
            Http2Response asked = connection.asked(1);
            assertThat(asked.value(":method")).contains("CONNECT");
            assertThat(asked.value(":protocol")).contains("websocket");
            assertThat(asked.value(":scheme")).contains("http");
            assertThat(asked.value(":path")).contains("/chat?room=1");
            assertThat(asked.value(":authority")).contains("a.example");
            assertThat(asked.value("sec-websocket-version")).contains("13");
            assertThat(asked.value("sec-websocket-protocol")).contains("news, chat");
            assertThat(asked.value("origin")).contains("http://a.example");
            assertThat(asked.value("cookie")).contains("a=1");
            assertThat(asked.fields().stream().map(RawMessage.Field::name))
                    .doesNotContain(
                            "connection",
                            "upgrade",
                            "host",
                            "sec-websocket-key",
                            "sec-websocket-accept",
                            "content-length",
                            "transfer-encoding");
            assertThat(asked.isEnded()).isFalse();
            connection.headers(1, NONE, ":status", "200", "sec-websocket-protocol", "chat", "x-origin", "here");
            RawMessage granted = client.readHead();
            assertThat(granted.status()).isEqualTo(101);
            assertThat(granted.values("sec-websocket-accept")).containsExactly(WebSockets.ACCEPT);
            assertThat(granted.values("sec-websocket-protocol")).containsExactly("chat");
            assertThat(granted.values("upgrade")).containsExactly("websocket");
            assertThat(granted.values("x-origin")).containsExactly("here");
            assertThat(granted.has("content-length")).isFalse();
            client.send(HELLO);
            assertThat(connection.bytes(1, HELLO.length)).isEqualTo(text(HELLO));
            connection.data(1, WORLD, false);
            assertThat(client.readBytes(WORLD.length)).isEqualTo(WORLD);
        }
    }

    @Test
    void bytesPassAsTheyAreMaskedOrNot() throws Exception {
        byte[] there = new byte[4 << 20];
        byte[] back = new byte[there.length + 1];
        new Random(1).nextBytes(there);
        new Random(2).nextBytes(back);
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).start();
                RawClient client = gateway.client()) {
            Http2Client connection = open(client, origin);
            CompletableFuture<byte[]> heard = CompletableFuture.supplyAsync(() -> {
                try {
                    return client.readBytes(back.length);
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            CompletableFuture<Void> said = CompletableFuture.runAsync(() -> {
                try {
                    client.send(there);
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            connection.upload(1, back);
            assertThat(connection.bytes(1, there.length)).isEqualTo(text(there));
            assertThat(heard.get(10, TimeUnit.SECONDS)).isEqualTo(back);
            said.get(10, TimeUnit.SECONDS);
        }
    }

    @Test
    void bothHalvesEndSeparatelyBetweenTwoStreams() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).start();
                Http2Client client = gateway.http2()) {
            client.webSocket(1, "/").data(1, HELLO, true);
            Http2Client connection = grant(origin.accept(CONNECT_PROTOCOL, 1), 1);
            assertThat(client.head(1).status()).isEqualTo(200);
            assertThat(connection.response(1).body()).isEqualTo(text(HELLO));
            assertThat(connection.stream(1).isEnded()).isTrue();
            connection.data(1, WORLD, false);
            assertThat(client.bytes(1, WORLD.length)).isEqualTo(text(WORLD));
            connection.data(1, WORLD, true);
            assertThat(client.response(1).body()).isEqualTo(text(WORLD) + text(WORLD));
            assertThat(client.sync().stream(1).reset()).isNull();
            assertThat(connection.sync().stream(1).reset()).isNull();
            Outcome outcome = gateway.nextOutcome();
            assertThat(outcome.tunnel()).isEqualTo(TunnelEnd.CLIENT_GONE);
            assertThat(outcome.error()).isNull();

            client.webSocket(3, "/");
            grant(connection, 3).data(3, WORLD, true);
            assertThat(client.response(3).isEnded()).isTrue();
            client.data(3, HELLO, false);
            assertThat(connection.bytes(3, HELLO.length)).isEqualTo(text(HELLO));
            client.data(3, HELLO, true);
            assertThat(connection.response(3).body()).isEqualTo(text(HELLO) + text(HELLO));
            assertThat(connection.stream(3).reset()).isNull();
            assertThat(gateway.nextOutcome().tunnel()).isEqualTo(TunnelEnd.ORIGIN_GONE);
        }
    }

    @Test
    void resetsPassFromStreamToStream() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).start();
                Http2Client client = gateway.http2()) {
            client.webSocket(1, "/");
            Http2Client connection = grant(origin.accept(CONNECT_PROTOCOL, 1), 1);
            client.head(1);
            client.cancel(1);
            assertThat(connection.awaitReset(1)).isEqualTo(Http2Error.CANCEL);
            assertThat(connection.stream(1).isEnded()).isFalse();
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.CLIENT_GONE);
            client.webSocket(3, "/");
            grant(connection, 3).data(3, WORLD, false);
            client.bytes(3, WORLD.length);
            connection.reset(3, CANCEL);
            assertThat(client.awaitReset(3)).isEqualTo(Http2Error.CANCEL);
            assertThat(client.stream(3).isEnded()).isFalse();
            Outcome outcome = gateway.nextOutcome();
            assertThat(outcome.error()).isEqualTo(ErrorKind.ORIGIN_RESET);
            assertThat(outcome.tunnel()).isEqualTo(TunnelEnd.ORIGIN_GONE);
            client.get(5, "/");
            connection.asked(5);
            connection.respond(5, 200, "on we go");
            assertThat(client.response(5).body()).isEqualTo("on we go");
        }
    }

    @Test
    void aResetAfterTheEndOfTheOriginIsNoFault() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).start();
                Http2Client client = gateway.http2()) {
            client.webSocket(1, "/");
            Http2Client connection = grant(origin.accept(CONNECT_PROTOCOL, 1), 1);
            connection.data(1, WORLD, true);
            assertThat(client.response(1).body()).isEqualTo(text(WORLD));
            connection.reset(1, NO_ERROR);
            assertThat(client.awaitReset(1)).isEqualTo(Http2Error.NO_ERROR);
            Outcome outcome = gateway.nextOutcome();
            assertThat(outcome.tunnel()).isEqualTo(TunnelEnd.ORIGIN_GONE);
            assertThat(outcome.error()).isNull();
        }
    }

    @Test
    void aClientOfHttp1ThatLeavesEndsTheStreamBehindItsLastByte() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).start()) {
            Http2Client connection;
            try (RawClient client = gateway.client()) {
                connection = open(client, origin);
                client.send(HELLO).halfClose();
            }
            assertThat(connection.response(1).body()).isEqualTo(text(HELLO));
            assertThat(connection.stream(1).isEnded()).isTrue();
            assertThat(connection.stream(1).reset()).isNull();
            assertThat(gateway.pools().busy()).isEqualTo(1);
            connection.data(1, WORLD, true);
            Eventually.eventually(() -> assertThat(gateway.pools().busy()).isZero());
            assertThat(connection.sync().stream(1).reset()).isNull();
        }
    }

    @Test
    void anOriginThatDoesNotEndItsSideIsNotWaitedForLong() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).start()) {
            Http2Client connection;
            try (RawClient client = gateway.client()) {
                connection = open(client, origin);
            }
            assertThat(connection.awaitReset(1)).isEqualTo(Http2Error.CANCEL);
            assertThat(connection.stream(1).isEnded()).isTrue();
            Eventually.eventually(() -> assertThat(gateway.pools().busy()).isZero());
        }
    }

    @Test
    void anOriginThatEndsItsStreamEndsAClientOfHttp1() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).start();
                RawClient client = gateway.client()) {
            Http2Client connection = open(client, origin);
            connection.data(1, WORLD, true);
            assertThat(client.readUntilClose()).isEqualTo(WORLD);
            assertThat(connection.response(1).isEnded()).isTrue();
            Outcome outcome = gateway.nextOutcome();
            assertThat(outcome.tunnel()).isEqualTo(TunnelEnd.ORIGIN_GONE);
            assertThat(outcome.error()).isNull();
        }
    }

    @Test
    void aCloseHandshakeEndsBothSidesRegularlyRegardlessOfTheOriginsEnd() throws Exception {
        byte[] bye = WebSockets.masked(WebSockets.CLOSE, WebSockets.closing(1000));
        byte[] byeToo = WebSockets.plain(WebSockets.CLOSE, WebSockets.closing(1000));
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).start();
                RawClient client = gateway.client()) {
            Http2Client connection = open(client, origin);
            client.send(bye);
            assertThat(connection.bytes(1, bye.length)).isEqualTo(text(bye));
            connection.data(1, byeToo, false).reset(1, CANCEL);
            assertThat(client.readUntilClose()).isEqualTo(byeToo);
            Outcome outcome = gateway.nextOutcome();
            assertThat(outcome.tunnel()).isEqualTo(TunnelEnd.CLIENT_CLOSED);
            assertThat(outcome.error()).isNull();
        }
    }

    // ---- capabilities that the origin announces

    @Test
    void waitsForTheSettingsBeforeTheHandshake() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).start();
                Http2Client client = gateway.http2()) {
            client.webSocket(1, "/").get(3, "/");
            // No frame may arrive before its settings, not even an acknowledgement.
            Http2Client connection = origin.acceptSilently().answeringNothing();
            // Ordinary requests don't wait.
            assertThat(connection.asked(1).value(":method")).contains("GET");
            assertThat(connection.stream(3).hasHead()).isFalse();
            connection.settings(CONNECT_PROTOCOL, 1);
            assertThat(connection.asked(3).value(":method")).contains("CONNECT");
            connection.respond(1, 200, "plain").headers(3, NONE, ":status", "200");
            assertThat(client.head(1).status()).isEqualTo(200);
            assertThat(client.response(3).body()).isEqualTo("plain");
        }
    }

    @Test
    void anOriginWithoutTheSettingGetsNoHandshake() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).start();
                Http2Client client = gateway.http2()) {
            client.webSocket(1, "/");
            Http2Client connection = origin.accept();
            assertProblem(client.response(1), 501, ErrorKind.NOT_IMPLEMENTED);
            client.webSocket(3, "/");
            assertProblem(client.response(3), 501, ErrorKind.NOT_IMPLEMENTED);
            client.get(5, "/");
            assertThat(connection.asked(1).value(":method")).contains("GET");
            // It has enabled the setting later.
            connection.respond(1, 200, "").settings(CONNECT_PROTOCOL, 1).sync();
            client.webSocket(7, "/");
            grant(connection, 3);
            assertThat(client.head(7).status()).isEqualTo(200);
            assertThat(gateway.pools().busy()).isEqualTo(1);
        }
    }

    @Test
    void missingSettingsCountAsAMissingResponse() throws Exception {
        RouteTimeouts brief = Setup.waiting(
                Duration.ofSeconds(5),
                Duration.ofSeconds(5),
                Duration.ofMillis(300),
                Duration.ofSeconds(5),
                Duration.ofSeconds(9));
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).timeouts(brief).start();
                Http2Client client = gateway.http2()) {
            client.webSocket(1, "/");
            origin.acceptSilently();
            assertProblem(client.response(1), 504, ErrorKind.RESPONSE_TIMEOUT);
        }
    }

    @Test
    void anOriginThatClosesBeforeItsSettingsHasReceivedNoRequest() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).start();
                Http2Client client = gateway.http2()) {
            client.webSocket(1, "/");
            origin.acceptSilently().close();
            assertProblem(client.response(1), 502, ErrorKind.ORIGIN_RESET);
        }
    }

    @Test
    void aClientThatLeavesBeforeTheSettingsSendsNoHandshake() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).start();
                Http2Client client = gateway.http2()) {
            client.webSocket(1, "/");
            Http2Client connection = origin.acceptSilently();
            client.cancel(1).sync();
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.CLIENT_GONE);
            connection.settings(CONNECT_PROTOCOL, 1);
            client.get(3, "/");
            assertThat(connection.asked(1).value(":method")).contains("GET");
        }
    }

    @Test
    void theSettingCannotBeRevoked() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).start();
                RawClient client = gateway.client()) {
            Http2Client connection = open(client, origin);
            connection.settings(CONNECT_PROTOCOL, 0);
            assertThat(connection.awaitGoAwayAndEnd().error()).isEqualTo(Http2Error.PROTOCOL_ERROR);
            client.awaitEnd();
            assertThat(gateway.nextOutcome().tunnel()).isEqualTo(TunnelEnd.ORIGIN_GONE);
        }
    }

    // ---- responses

    @Test
    void anyOtherResponseIsAnOrdinaryOne() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).start();
                RawClient client = gateway.client()) {
            client.send(WebSockets.handshake("/"));
            Http2Client connection = origin.accept(CONNECT_PROTOCOL, 1);
            connection.asked(1);
            connection.respond(1, 403, "not you");
            RawMessage refused = client.readResponse();
            assertThat(refused.status()).isEqualTo(403);
            assertThat(refused.body()).isEqualTo("not you");
            client.send(WebSockets.handshake("/"));
            connection.asked(3);
            connection.headers(3, END_STREAM, ":status", "302", "location", "/login");
            assertThat(client.readResponse().status()).isEqualTo(302);
            Eventually.eventually(() -> assertThat(gateway.pools().busy()).isZero());
        }
    }

    @Test
    void any2xxIsAGrantRegardlessOfItsLength() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).start();
                RawClient client = gateway.client()) {
            client.send(WebSockets.handshake("/"));
            Http2Client connection = origin.accept(CONNECT_PROTOCOL, 1);
            connection.asked(1);
            connection.headers(1, NONE, ":status", "201", "content-length", "1").data(1, WORLD, false);
            RawMessage granted = client.readHead();
            assertThat(granted.status()).isEqualTo(101);
            assertThat(granted.has("content-length")).isFalse();
            assertThat(client.readBytes(WORLD.length)).isEqualTo(WORLD);
        }
    }

    @Test
    void aSubprotocolThatWasNotOfferedIsABadGateway() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).start();
                Http2Client client = gateway.http2()) {
            client.webSocket(1, "/", "sec-websocket-protocol", "chat");
            Http2Client connection = origin.accept(CONNECT_PROTOCOL, 1);
            connection.asked(1);
            connection.headers(1, NONE, ":status", "200", "sec-websocket-protocol", "admin");
            assertProblem(client.response(1), 502, ErrorKind.MALFORMED_RESPONSE);
            client.webSocket(3, "/");
            connection.asked(3);
            connection.headers(3, NONE, ":status", "200", "sec-websocket-extensions", "permessage-deflate");
            assertProblem(client.response(3), 502, ErrorKind.MALFORMED_RESPONSE);
            client.webSocket(5, "/");
            connection.asked(5);
            connection.headers(5, NONE, ":status", "101");
            assertProblem(client.response(5), 502, ErrorKind.MALFORMED_RESPONSE);
        }
    }

    @Test
    void fieldsBehindTheGrantAreAFaultOfThatStream() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).start();
                RawClient client = gateway.client()) {
            Http2Client connection = open(client, origin);
            connection.headers(1, END_STREAM, "x-trailer", "late");
            assertThat(connection.awaitReset(1)).isEqualTo(Http2Error.PROTOCOL_ERROR);
            client.awaitEnd();
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.MALFORMED_RESPONSE);
        }
    }

    @Test
    void aHandshakeThatTheOriginLeavesUnprocessedIsSentAgain() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).start();
                Http2Client client = gateway.http2()) {
            client.get(1, "/");
            Http2Client connection = origin.accept(CONNECT_PROTOCOL, 1);
            connection.asked(1);
            connection.respond(1, 200, "");
            client.response(1);
            client.webSocket(3, "/");
            connection.asked(3);
            connection.reset(3, REFUSED_STREAM);
            grant(connection, 5);
            assertThat(client.head(3).status()).isEqualTo(200);
        }
    }

    private static RouteTimeouts answeringWithin(Duration silence) {
        return Setup.waiting(Duration.ofSeconds(5), Duration.ofSeconds(5), silence, silence, Duration.ofSeconds(9));
    }

    @Test
    void aSilentOriginCausesATimeout() throws Exception {
        RouteTimeouts brief = answeringWithin(Duration.ofMillis(1500));
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).timeouts(brief).start();
                Http2Client client = gateway.http2()) {
            client.webSocket(1, "/");
            Http2Client connection = origin.accept(CONNECT_PROTOCOL, 1);
            connection.sync().asked(1);
            assertProblem(client.response(1), 504, ErrorKind.RESPONSE_TIMEOUT);
            assertThat(connection.awaitReset(1)).isEqualTo(Http2Error.CANCEL);
        }
    }

    @Test
    void anOpenWebSocketHasNoIdleLimitByDefault() throws Exception {
        RouteTimeouts brief = answeringWithin(Duration.ofSeconds(2));
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).timeouts(brief).start();
                Http2Client client = gateway.http2()) {
            client.get(1, "/");
            Http2Client connection = origin.accept(CONNECT_PROTOCOL, 1);
            connection.asked(1);
            connection.respond(1, 200, "");
            client.response(1);
            client.webSocket(3, "/");
            grant(connection, 3);
            client.head(3);
            Thread.sleep(2600);
            connection.data(3, WORLD, false);
            assertThat(client.bytes(3, WORLD.length)).isEqualTo(text(WORLD));
        }
    }

    // ---- one connection for many

    @Test
    void webSocketsAndRequestsShareAConnectionAndNoneHoldsUpAnother() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).start();
                RawClient slow =
                        RawClient.connectWithReceiveBuffer(gateway.gateway().address("main"), 16 << 10);
                RawClient quick = gateway.client();
                RawClient plain = gateway.client()) {
            Http2Client connection = open(slow, origin);
            quick.send(WebSockets.handshake("/"));
            grant(connection, 3);
            assertThat(quick.readHead().status()).isEqualTo(101);
            // As much as it accepts without a reader.
            try {
                connection.within(Duration.ofSeconds(1)).upload(1, new byte[64 << 20]);
                throw new IllegalStateException("all of it was taken");
            } catch (AssertionError stopped) {
                assertThat(connection.bytesSent()).isLessThan(24 << 20);
            }
            connection.within(Duration.ofSeconds(10)).data(3, WORLD, false);
            assertThat(quick.readBytes(WORLD.length)).isEqualTo(WORLD);
            plain.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            connection.asked(5);
            connection.respond(5, 200, "plain");
            assertThat(plain.readResponse().body()).isEqualTo("plain");
            assertThat(gateway.pools().created()).isEqualTo(1);
            assertThat(gateway.pools().busy()).isEqualTo(2);
        }
    }

    @Test
    void anOriginThatOpensNoWindowStopsTheClient() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).start();
                RawClient client = gateway.client()) {
            Http2Client connection = open(client, origin).openingNoWindow();
            try {
                client.within(Duration.ofSeconds(1)).send(new byte[64 << 20]);
                throw new IllegalStateException("all of it was taken");
            } catch (IOException | AssertionError e) {
                assertThat(client.bytesSent()).isLessThan(24 << 20);
            }
            connection.bytes(1, 65_535);
            connection.sync();
            assertThat(connection.stream(1).bytes()).isEqualTo(65_535);
        }
    }

    @Test
    void anOriginThatDoesNotReadTimesOut() throws Exception {
        WebSocketConfig brief = new WebSocketConfig(List.of(), false, Duration.ofMillis(400), Duration.ZERO, 10);
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).webSocket(brief).start();
                RawClient client = gateway.client()) {
            Http2Client connection = open(client, origin).openingNoWindow();
            CompletableFuture<Void> saying = CompletableFuture.runAsync(() -> {
                try {
                    client.send(new byte[64 << 20]);
                } catch (IOException | AssertionError e) {
                    // As expected.
                }
            });
            assertThat(gateway.nextOutcome().tunnel()).isEqualTo(TunnelEnd.IDLE);
            assertThat(connection.awaitReset(1)).isEqualTo(Http2Error.CANCEL);
            client.reset();
            saying.get(10, TimeUnit.SECONDS);
        }
    }

    @Test
    void drainingClosesBothSidesRegularly() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).start();
                RawClient client = gateway.client()) {
            Http2Client connection = open(client, origin);
            CompletableFuture<Integer> cut = CompletableFuture.supplyAsync(() -> gateway.drain(Duration.ofSeconds(10)));
            String bye = connection.bytes(1, MASKED_CLOSE);
            assertThat(WebSockets.closeCode(bye.getBytes(ISO_8859_1))).isEqualTo(1001);
            connection.data(1, GOING_AWAY, true);
            assertThat(client.readBytes(GOING_AWAY.length)).isEqualTo(GOING_AWAY);
            client.send(WebSockets.masked(WebSockets.CLOSE, WebSockets.closing(1001)));
            client.expectClosed();
            client.halfClose();
            assertThat(cut.get(10, TimeUnit.SECONDS)).isZero();
            assertThat(gateway.nextOutcome().tunnel()).isEqualTo(TunnelEnd.DRAIN);
        }
    }

    @Test
    void aConnectionThatIsLostEndsItsWebSockets() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).start();
                RawClient client = gateway.client()) {
            Http2Client connection = open(client, origin);
            connection.data(1, Arrays.copyOf(WORLD, 3), false);
            client.readBytes(3);
            connection.close();
            client.awaitEnd();
            assertThat(gateway.nextOutcome().tunnel()).isEqualTo(TunnelEnd.ORIGIN_GONE);
            Eventually.eventually(() -> assertThat(gateway.pools().busy()).isZero());
        }
    }
}
