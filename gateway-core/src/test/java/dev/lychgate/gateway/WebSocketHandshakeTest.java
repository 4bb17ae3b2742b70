package dev.lychgate.gateway;

import static dev.lychgate.gateway.Problems.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.WebSocketConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.exchange.state.TunnelEnd;
import dev.lychgate.pool.CloseReason;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.WebSockets;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** WebSocket handshakes: accepted ones, rejected ones with the rejecting side, and no raw byte passes before acceptance. */
@Tag("slow")
class WebSocketHandshakeTest {
    private static final Duration A_WHILE = Duration.ofMillis(200);

    private static Setup to(ScriptedOrigin origin) {
        return Setup.to(origin.address()).webSocket(WebSocketConfig.DEFAULT);
    }

    private static ScriptedOrigin echo() {
        return ScriptedOrigin.start().onConnection(WebSockets::echo);
    }

    @Test
    void eachSideHasASeparateHandshake() throws Exception {
        try (ScriptedOrigin origin = echo();
                Running gateway = to(origin).start();
                RawClient client = gateway.client()) {
            client.send(WebSockets.handshake("/chat?a=b", "Origin: http://a.example", "Cookie: c=d"));
            RawMessage granted = client.readHead();
            assertThat(granted.status()).isEqualTo(101);
            assertThat(granted.values("sec-websocket-accept")).containsExactly(WebSockets.ACCEPT);
            assertThat(granted.values("upgrade")).containsExactly("websocket");
            assertThat(granted.values("connection")).containsExactly("upgrade");
            assertThat(granted.has("content-length")).isFalse();
            assertThat(granted.has("transfer-encoding")).isFalse();
            RawMessage asked = origin.requests().get(0);
            assertThat(asked.startLine()).isEqualTo("GET /chat?a=b HTTP/1.1");
            assertThat(asked.values("connection")).containsExactly("upgrade");
            assertThat(asked.values("upgrade")).containsExactly("websocket");
            assertThat(asked.values("sec-websocket-version")).containsExactly("13");
            assertThat(asked.values("sec-websocket-key")).singleElement().isNotEqualTo(WebSockets.KEY);
            assertThat(asked.values("origin")).containsExactly("http://a.example");
            assertThat(asked.value("cookie")).contains("c=d");
            assertThat(asked.has("x-forwarded-for")).isTrue();
            byte[] hello = WebSockets.masked(WebSockets.TEXT, "hello");
            client.send(hello);
            assertThat(client.readBytes(hello.length)).isEqualTo(hello);
            client.halfClose();
            Outcome outcome = gateway.nextOutcome();
            assertThat(outcome.status()).isEqualTo(101);
            assertThat(outcome.tunnel()).isEqualTo(TunnelEnd.CLIENT_GONE);
            assertThat(outcome.requestBytes()).isEqualTo(hello.length);
            assertThat(outcome.responseBytes()).isEqualTo(hello.length);
            origin.awaitOpenConnections(0);
            assertThat(gateway.pools().busy()).isZero();
            assertThat(gateway.pools().idle()).isZero();
            assertThat(gateway.closedConnections(CloseReason.UPGRADED)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /|Sec-WebSocket-Version: 13~Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                "GET /|Sec-WebSocket-Version: 13",
                "GET /|Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                "GET /|Sec-WebSocket-Version: 13~Sec-WebSocket-Key: c2hvcnQ=",
                "GET /|Sec-WebSocket-Version: 13~Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25j!!==",
                "GET /|Sec-WebSocket-Version: 13~Sec-WebSocket-Version: 13~Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                "GET /|Sec-WebSocket-Version: 13~Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==~Content-Length: 5",
                "GET /|Sec-WebSocket-Version: 13~Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==~Transfer-Encoding: chunked",
            })
    void aHandshakeThatIsNotInOrderIsRefused(String request) throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start();
                Running gateway = to(origin).start();
                RawClient client = gateway.client()) {
            String[] parts = request.split("\\|", -1);
            client.send(parts[0] + " HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, Upgrade\r\nUpgrade: WebSocket\r\n"
                    + parts[1].replace("~", "\r\n") + "\r\n\r\n");
            RawMessage response = client.readResponse();
            assertProblem(response, 400, ErrorKind.MALFORMED_REQUEST);
            assertThat(response.value("connection")).contains("close");
            client.expectClosed();
            assertThat(origin.connectionsAccepted()).isZero();
        }
    }

    @Test
    void anotherVersionIsRefusedAndLaterBytesAreNeverRead() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start();
                Running gateway = to(origin).start();
                RawClient client = gateway.client()) {
            client.send(WebSockets.handshake("/").replace("Version: 13", "Version: 1777")
                    + "GET /internal HTTP/1.1\r\nHost: a\r\n\r\n");
            RawMessage response = client.readResponse();
            assertProblem(response, 426, ErrorKind.WEBSOCKET_VERSION);
            assertThat(response.values("sec-websocket-version")).containsExactly("13");
            assertThat(response.values("upgrade")).containsExactly("websocket");
            assertThat(response.values("connection")).containsExactly("upgrade", "close");
            client.expectClosed();
            assertThat(origin.connectionsAccepted()).isZero();
        }
    }

    @Test
    void anUpgradeToAnotherProtocolIsAnOrdinaryRequest() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("plain")));
                Running gateway = to(origin).start();
                RawClient client = gateway.client()) {
            List<String> heads = List.of(
                    "HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c",
                    "HTTP/1.1\r\nHost: a\r\nUpgrade: websocket",
                    "HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\nUpgrade: websocket",
                    "HTTP/1.0\r\nHost: a\r\nConnection: keep-alive, upgrade\r\nUpgrade: websocket");
            for (String head : heads) {
                client.send("GET / " + head + "\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + WebSockets.KEY
                        + "\r\n\r\n");
                assertThat(client.readResponse().body()).isEqualTo("plain");
            }
            assertThat(origin.requests()).noneMatch(r -> r.has("upgrade") || r.has("connection"));
        }
    }

    private static final List<Function<RawMessage, String>> NOT_GRANTED = List.of(
            r -> WebSockets.granted(r).replaceFirst("Accept: .*", "Accept: " + WebSockets.ACCEPT),
            r -> WebSockets.granted(r).replaceFirst("Sec-WebSocket-Accept: .*\r\n", ""),
            r -> WebSockets.granted(r).replaceFirst("Upgrade: websocket", "Upgrade: h2c"),
            r -> WebSockets.granted(r).replaceFirst("Upgrade: websocket\r\n", ""),
            r -> WebSockets.granted(r).replaceFirst("Connection: Upgrade\r\n", ""),
            r -> WebSockets.granted(r).replaceFirst("HTTP/1.1", "HTTP/1.0"),
            r -> WebSockets.granted(r, "Sec-WebSocket-Protocol: other"),
            r -> WebSockets.granted(r, "Sec-WebSocket-Protocol: chat", "Sec-WebSocket-Protocol: chat"),
            r -> WebSockets.granted(r, "Sec-WebSocket-Extensions: x-unheard-of"));

    @Test
    void a101ForAnotherProtocolIsABadGateway() throws Exception {
        for (Function<RawMessage, String> response : NOT_GRANTED) {
            try (ScriptedOrigin origin = ScriptedOrigin.start()
                            .onNextConnection(c -> {
                                c.send(response.apply(c.readRequest()) + "raw bytes");
                                c.awaitEnd();
                            })
                            .onConnection(c -> c.answerEvery(r -> Responses.ok("plain")));
                    Running gateway = to(origin).start();
                    RawClient client = gateway.client()) {
                client.send(WebSockets.handshake(
                        "/",
                        "Sec-WebSocket-Protocol: chat, superchat",
                        "Sec-WebSocket-Extensions: permessage-deflate"));
                assertProblem(client.readResponse(), 502, ErrorKind.MALFORMED_RESPONSE);
                origin.awaitOpenConnections(0);
                // HTTP continues: the protocol has not been switched.
                assertThat(client.get("/").body()).isEqualTo("plain");
            }
        }
    }

    @Test
    void subprotocolsAndExtensionsThatWereOfferedMayBeChosen() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.send(WebSockets.granted(
                            c.readRequest(),
                            "Sec-WebSocket-Protocol: superchat",
                            "Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover"));
                    c.awaitEnd();
                });
                Running gateway = to(origin).start();
                RawClient client = gateway.client()) {
            client.send(WebSockets.handshake(
                    "/",
                    "Sec-WebSocket-Protocol: chat, superchat",
                    "Sec-WebSocket-Extensions: x-a, permessage-deflate; client_max_window_bits"));
            RawMessage granted = client.readHead();
            assertThat(granted.status()).isEqualTo(101);
            assertThat(granted.value("sec-websocket-protocol")).contains("superchat");
            assertThat(granted.value("sec-websocket-extensions"))
                    .contains("permessage-deflate; server_no_context_takeover");
        }
    }

    @Test
    void bytesThatComeEarlyWaitForTheGrant() throws Exception {
        Gate gate = new Gate();
        byte[] early = WebSockets.masked(WebSockets.TEXT, "early");
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    RawMessage request = c.readRequest();
                    c.expectSilence(A_WHILE);
                    c.stallUntil(gate);
                    c.send(WebSockets.granted(request) + "first");
                    assertThat(c.readBytes(early.length)).isEqualTo(early);
                    c.send("second");
                    c.awaitEnd();
                });
                Running gateway = to(origin).start();
                RawClient client = gateway.client()) {
            client.send(WebSockets.handshake("/")).send(early);
            client.expectSilence(A_WHILE);
            gate.open();
            assertThat(client.readHead().status()).isEqualTo(101);
            assertThat(new String(client.readBytes(11), java.nio.charset.StandardCharsets.US_ASCII))
                    .isEqualTo("firstsecond");
        }
    }

    @Test
    void aFloodBeforeTheGrantIsNotRead() throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readRequest();
                    c.stallUntil(gate);
                });
                Running gateway = to(origin).start();
                RawClient client = gateway.client()) {
            client.send(WebSockets.handshake("/"));
            origin.awaitRequests(1);
            Thread flood = new Thread(() -> {
                try {
                    client.within(Duration.ofSeconds(1)).send(new byte[64 << 20]);
                } catch (java.io.IOException | AssertionError e) {
                    // As expected.
                }
            });
            flood.start();
            flood.join();
            assertThat(client.bytesSent()).isLessThan(32 << 20);
            gate.open();
        }
    }

    @Test
    void anyOtherResponseIsAnOrdinaryOne() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(
                        r.has("upgrade")
                                ? Responses.of(401, "who?", "WWW-Authenticate: Basic")
                                : Responses.ok("hello")));
                Running gateway = to(origin).start();
                RawClient client = gateway.client()) {
            client.send(WebSockets.handshake("/"));
            RawMessage refused = client.readResponse();
            assertThat(refused.status()).isEqualTo(401);
            assertThat(refused.body()).isEqualTo("who?");
            assertThat(client.get("/").body()).isEqualTo("hello");
            // The protocol was not switched: the connection to the origin is still usable.
            assertThat(origin.connectionsAccepted()).isEqualTo(1);
            assertThat(gateway.nextOutcome().tunnel()).isNull();
        }
    }

    @Test
    void anOriginThatDoesNotRespondIsATimeout() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readRequest();
                    c.awaitEnd();
                });
                Running gateway = to(origin)
                        .timeouts(Setup.waiting(
                                Duration.ofSeconds(5),
                                Duration.ofSeconds(5),
                                Duration.ofMillis(300),
                                Duration.ofSeconds(5),
                                Duration.ZERO))
                        .start();
                RawClient client = gateway.client()) {
            client.send(WebSockets.handshake("/"));
            assertProblem(client.readResponse(), 504, ErrorKind.RESPONSE_TIMEOUT);
        }
    }

    @Test
    void aStalePooledConnectionIsReplacedByAFreshOne() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start()
                        .onNextConnection(c -> {
                            c.readRequest();
                            c.send(Responses.ok("once"));
                            c.readHead();
                            c.reset();
                        })
                        .onConnection(WebSockets::echo);
                Running gateway = to(origin).start();
                RawClient client = gateway.client()) {
            assertThat(client.get("/").body()).isEqualTo("once");
            client.send(WebSockets.handshake("/"));
            assertThat(client.readHead().status()).isEqualTo(101);
            assertThat(origin.connectionsAccepted()).isEqualTo(2);
        }
    }

    @Test
    void aRouteRefusesHandshakesByDefault() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("hello")));
                Running gateway = Setup.to(origin.address()).start();
                RawClient client = gateway.client()) {
            client.send(WebSockets.handshake("/"));
            assertProblem(client.readResponse(), 403, ErrorKind.WEBSOCKET_NOT_SERVED);
            assertThat(client.get("/").body()).isEqualTo("hello");
            assertThat(origin.requestsSeen()).isEqualTo(1);
        }
    }

    @Test
    void pagesOfOtherOriginsAreRefused() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start();
                Running gateway = to(origin).start();
                RawClient client = gateway.client()) {
            client.send(WebSockets.handshake("/", "Origin: https://evil.example"));
            assertProblem(client.readResponse(), 403, ErrorKind.ORIGIN_NOT_ALLOWED);
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.ORIGIN_NOT_ALLOWED);
            assertThat(origin.connectionsAccepted()).isZero();
        }
    }

    @Test
    void aRouteHasALimitOfOpenWebSockets() throws Exception {
        WebSocketConfig two = new WebSocketConfig(List.of(), false, Duration.ofMinutes(5), Duration.ZERO, 2);
        try (ScriptedOrigin origin = echo();
                Running gateway = Setup.to(origin.address()).webSocket(two).start();
                RawClient first = gateway.client();
                RawClient second = gateway.client();
                RawClient third = gateway.client()) {
            assertThat(first.send(WebSockets.handshake("/")).readHead().status())
                    .isEqualTo(101);
            assertThat(second.send(WebSockets.handshake("/")).readHead().status())
                    .isEqualTo(101);
            third.send(WebSockets.handshake("/"));
            assertProblem(third.readResponse(), 503, ErrorKind.BULKHEAD_FULL);
            first.halfClose();
            gateway.nextOutcome();
            gateway.nextOutcome();
            assertThat(third.send(WebSockets.handshake("/")).readHead().status())
                    .isEqualTo(101);
        }
    }
}
