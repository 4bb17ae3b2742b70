package dev.lychgate.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.OriginTlsConfig;
import dev.lychgate.config.PoolConfig;
import dev.lychgate.config.TlsConfig;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.config.UpstreamProtocol;
import dev.lychgate.config.WebSocketConfig;
import dev.lychgate.exchange.state.TunnelEnd;
import dev.lychgate.http2.Http2Error;
import dev.lychgate.testing.Certificates;
import dev.lychgate.testing.Ending;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.Http2Response;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.ScriptedConnection;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.WebSockets;
import dev.lychgate.testing.WithEachTlsProvider;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * WebSockets over HTTP/2 and TLS, with HTTP/2 negotiated by ALPN: one gateway behind another, so that its two sides are
 * connected.
 */
@ParameterizedClass
@EnumSource(names = {"OPENSSL", "JDK"})
@Tag("slow")
class Http2WebSocketTlsTest extends WithEachTlsProvider {
    private static final Certificates CA = Certificates.authority("Test Authority");
    private static final byte[] HELLO = WebSockets.masked(WebSockets.TEXT, "hello");
    private static final byte[] WORLD = WebSockets.plain(WebSockets.TEXT, "world");

    private TlsConfig tls() {
        return TlsConfig.of(Certificates.pem(directory, "site", CA.issue("127.0.0.1")))
                .withProvider(provider);
    }

    private Running back(ScriptedOrigin origin) {
        return Setup.to(origin.address())
                .webSocket(WebSocketConfig.DEFAULT)
                .tls(tls())
                .start();
    }

    /** A gateway in front of another one, with which it negotiates the protocol. */
    private Running before(Running back, UpstreamProtocol protocol) {
        OriginTlsConfig believing =
                OriginTlsConfig.DEFAULT.withCa(CA.writeCa(directory, "ca")).withProvider(provider);
        int port = back.gateway().address("main").getPort();
        return new Setup()
                .upstream(UpstreamConfig.of("origin", EndpointConfig.parse("https://127.0.0.1:" + port))
                        .withTls(believing)
                        .withPool(PoolConfig.DEFAULT.speaking(protocol)))
                .webSocket(WebSocketConfig.DEFAULT)
                .tls(tls())
                .start();
    }

    private static SSLSocket connect(Running gateway, String protocol) throws IOException {
        SSLSocket socket = (SSLSocket) CA.context(null)
                .getSocketFactory()
                .createSocket("127.0.0.1", gateway.gateway().address("main").getPort());
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {protocol});
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        assertThat(socket.getApplicationProtocol()).isEqualTo(protocol);
        return socket;
    }

    private static Http2Client http2(Running gateway) throws IOException {
        return Http2Client.over(connect(gateway, "h2")).preface();
    }

    private static Http2Client webSocket(Http2Client client, int stream) throws IOException {
        return client.headers(
                stream,
                Http2Client.NONE,
                ":method",
                "CONNECT",
                ":protocol",
                "websocket",
                ":scheme",
                "https",
                ":authority",
                "lychgate.test",
                ":path",
                "/",
                "sec-websocket-version",
                "13",
                "origin",
                "https://lychgate.test");
    }

    private static String text(byte[] bytes) {
        return new String(bytes, ISO_8859_1);
    }

    private static void echoOnce(ScriptedConnection c) throws IOException {
        WebSockets.accept(c);
        assertThat(c.readBytes(HELLO.length)).isEqualTo(HELLO);
        c.send(WORLD);
    }

    @Test
    void bothHalvesEndByThemselvesAllTheWay() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    echoOnce(c);
                    assertThat(c.awaitEnd()).isEqualTo(Ending.CLOSED);
                    c.send(WORLD);
                });
                Running back = back(origin);
                Running gateway = before(back, UpstreamProtocol.H2);
                Http2Client client = http2(gateway)) {
            assertThat(webSocket(client, 1).head(1).status()).isEqualTo(200);
            client.data(1, HELLO, false);
            assertThat(client.bytes(1, WORLD.length)).isEqualTo(text(WORLD));
            client.data(1, new byte[0], true);
            Http2Response all = client.response(1);
            assertThat(all.isEnded()).isTrue();
            assertThat(all.body()).isEqualTo(text(WORLD) + text(WORLD));
            assertThat(gateway.nextOutcome().tunnel()).isEqualTo(TunnelEnd.CLIENT_GONE);
            assertThat(gateway.pools().created()).isEqualTo(1);
            assertThat(back.counters().http2Connections()).isEqualTo(1);
            assertThat(origin.requests().get(0).has("sec-websocket-key")).isTrue();
        }
    }

    @Test
    void resetsGoAllTheWay() throws Exception {
        CompletableFuture<Ending> seen = new CompletableFuture<>();
        try (ScriptedOrigin origin = ScriptedOrigin.start()
                        .onNextConnection(c -> {
                            echoOnce(c);
                            seen.complete(c.awaitEnd());
                        })
                        .onConnection(c -> {
                            echoOnce(c);
                            c.readBytes(1);
                            c.reset();
                        });
                Running back = back(origin);
                Running gateway = before(back, UpstreamProtocol.AUTO);
                Http2Client client = http2(gateway)) {
            webSocket(client, 1).data(1, HELLO, false).bytes(1, WORLD.length);
            client.cancel(1);
            assertThat(seen.get(10, TimeUnit.SECONDS)).isEqualTo(Ending.RESET);
            webSocket(client, 3).data(3, HELLO, false).bytes(3, WORLD.length);
            client.data(3, "x", false);
            assertThat(client.awaitReset(3)).isEqualTo(Http2Error.CANCEL);
            assertThat(gateway.pools().created()).isEqualTo(1);
        }
    }

    @Test
    void aClientOfHttp1NeedNotKnow() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(WebSockets::echo);
                Running back = back(origin);
                Running gateway = before(back, UpstreamProtocol.AUTO);
                RawClient client = RawClient.over(connect(gateway, "http/1.1"))) {
            assertThat(client.send(WebSockets.handshake("/")).readHead().status())
                    .isEqualTo(101);
            assertThat(client.send(HELLO).readBytes(HELLO.length)).isEqualTo(HELLO);
            assertThat(back.counters().http2Connections()).isEqualTo(1);
        }
    }

    @Test
    void aDrainGoesAllTheWay() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    WebSockets.accept(c);
                    assertThat(WebSockets.closeCode(c.readBytes(8))).isEqualTo(1001);
                    c.send(WebSockets.plain(WebSockets.CLOSE, WebSockets.closing(1001)));
                    c.awaitEnd();
                });
                Running back = back(origin);
                Running gateway = before(back, UpstreamProtocol.H2);
                Http2Client client = http2(gateway)) {
            assertThat(webSocket(client, 1).head(1).status()).isEqualTo(200);
            CompletableFuture<Integer> cut = CompletableFuture.supplyAsync(() -> gateway.drain(Duration.ofSeconds(10)));
            assertThat(client.bytes(1, 4))
                    .isEqualTo(text(WebSockets.plain(WebSockets.CLOSE, WebSockets.closing(1001))));
            client.data(1, WebSockets.masked(WebSockets.CLOSE, WebSockets.closing(1001)), true);
            assertThat(client.response(1).isEnded()).isTrue();
            client.awaitGoAwayAndEnd();
            client.halfClose();
            assertThat(cut.get(10, TimeUnit.SECONDS)).isZero();
            assertThat(back.nextOutcome().tunnel()).isEqualTo(TunnelEnd.CLIENT_CLOSED);
        }
    }
}
