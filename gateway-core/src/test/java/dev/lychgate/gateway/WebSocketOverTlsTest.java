package dev.lychgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.OriginTlsConfig;
import dev.lychgate.config.TlsConfig;
import dev.lychgate.config.TlsVersion;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.config.WebSocketConfig;
import dev.lychgate.exchange.state.TunnelEnd;
import dev.lychgate.testing.Certificates;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.TlsClient;
import dev.lychgate.testing.TlsTap;
import dev.lychgate.testing.WebSockets;
import dev.lychgate.testing.WithEachTlsProvider;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** WebSockets with TLS on both sides: the end of one side is sent inside TLS, after all data. */
@Tag("slow")
class WebSocketOverTlsTest extends WithEachTlsProvider {
    private static final Certificates CA = Certificates.authority("Test Authority");

    private static ScriptedOrigin origin() {
        return ScriptedOrigin.start().overTls(CA.context(CA.issue("127.0.0.1")), false);
    }

    private Running to(TlsTap origin) {
        OriginTlsConfig tls = new OriginTlsConfig(
                true, CA.writeCa(directory, "ca.pem"), null, "", List.of(TlsVersion.TLS_1_2), provider);
        TlsConfig site = TlsConfig.of(Certificates.pem(directory, "site", CA.issue("lychgate.test")))
                .withProvider(provider);
        return new Setup()
                .tls(site)
                .webSocket(WebSocketConfig.DEFAULT)
                .upstream(UpstreamConfig.of(
                                "origin",
                                EndpointConfig.parse(
                                        "https://127.0.0.1:" + origin.address().getPort()))
                        .withTls(tls))
                .start();
    }

    private static TlsClient connect(TlsTap gateway) throws IOException {
        TlsClient client = TlsClient.connect(gateway.address(), CA.context(null), "lychgate.test", "TLSv1.2");
        assertThat(client.raw().send(WebSockets.handshake("/")).readHead().status())
                .isEqualTo(101);
        return client;
    }

    private static byte[] noise(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    @Test
    void theEndOfAClientReachesTheOriginInsideTls() throws Exception {
        byte[] last = WebSockets.masked(2, noise(1 << 20));
        CompletableFuture<byte[]> seen = new CompletableFuture<>();
        try (ScriptedOrigin origin = origin().onConnection(c -> {
                    WebSockets.accept(c);
                    seen.complete(c.readBytes(last.length));
                    c.awaitEnd();
                });
                TlsTap toOrigin = TlsTap.before(origin.address());
                Running gateway = to(toOrigin);
                TlsTap toGateway = TlsTap.before(gateway.gateway().address("main"))) {
            try (TlsClient client = connect(toGateway)) {
                client.raw().send(last);
            }
            assertThat(seen.get(10, TimeUnit.SECONDS)).isEqualTo(last);
            assertThat(toOrigin.lastToTarget()).isEqualTo(TlsTap.ALERT);
            assertThat(gateway.nextOutcome().tunnel()).isEqualTo(TunnelEnd.CLIENT_GONE);
        }
    }

    @Test
    void theEndOfAnOriginReachesTheClientInsideTls() throws Exception {
        byte[] last = WebSockets.plain(2, noise(1 << 20));
        try (ScriptedOrigin origin = origin().onConnection(c -> {
                    WebSockets.accept(c);
                    c.send(last).halfClose();
                    c.awaitEnd();
                });
                TlsTap toOrigin = TlsTap.before(origin.address());
                Running gateway = to(toOrigin);
                TlsTap toGateway = TlsTap.before(gateway.gateway().address("main"));
                TlsClient client = connect(toGateway)) {
            assertThat(client.raw().readBytes(last.length)).isEqualTo(last);
            client.raw().expectClosed();
            assertThat(toGateway.lastFromTarget()).isEqualTo(TlsTap.ALERT);
            assertThat(gateway.nextOutcome().tunnel()).isEqualTo(TunnelEnd.ORIGIN_GONE);
        }
    }

    @Test
    void closeFramesOfBothSidesEndBothConnectionsInsideTls() throws Exception {
        byte[] bye = WebSockets.masked(WebSockets.CLOSE, WebSockets.closing(1000));
        byte[] byeToo = WebSockets.plain(WebSockets.CLOSE, WebSockets.closing(1000));
        try (ScriptedOrigin origin = origin().onConnection(c -> {
                    WebSockets.accept(c);
                    c.readBytes(bye.length);
                    c.send(byeToo);
                    c.halfClose();
                    c.awaitEnd();
                });
                TlsTap toOrigin = TlsTap.before(origin.address());
                Running gateway = to(toOrigin);
                TlsTap toGateway = TlsTap.before(gateway.gateway().address("main"));
                TlsClient client = connect(toGateway)) {
            client.raw().send(bye);
            assertThat(client.raw().readUntilClose()).isEqualTo(byeToo);
            assertThat(toGateway.lastFromTarget()).isEqualTo(TlsTap.ALERT);
            assertThat(toOrigin.lastToTarget()).isEqualTo(TlsTap.ALERT);
            assertThat(gateway.nextOutcome().tunnel()).isEqualTo(TunnelEnd.CLIENT_CLOSED);
        }
    }
}
