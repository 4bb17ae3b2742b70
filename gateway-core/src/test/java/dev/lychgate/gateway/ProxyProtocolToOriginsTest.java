package dev.lychgate.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.ActiveHealthConfig;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.HealthConfig;
import dev.lychgate.config.Percent;
import dev.lychgate.config.PoolConfig;
import dev.lychgate.config.ProxyVersion;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.config.UpstreamProtocol;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedConnection;
import dev.lychgate.testing.ScriptedOrigin;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Origins receive a PROXY protocol header with the client of a connection first. */
class ProxyProtocolToOriginsTest {
    private static final String SIGNATURE = "\r\n\r\n\0\r\nQUIT\n";
    private static final String CLIENT_V1 = "PROXY TCP4 192.0.2.7 203.0.113.1 50000 8443\r\n";
    private static final String CLIENT_V2 =
            SIGNATURE + "!\u0011\0\u000c" + "\u00c0\0\u0002\u0007" + "\u00cb\0q\u0001" + "\u00c3P" + " \u00fb";
    private static final String NOBODY_V1 = "PROXY UNKNOWN\r\n";
    private static final String NOBODY_V2 = SIGNATURE + " \0\0\0";

    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

    private static String client(ProxyVersion version) {
        return version == ProxyVersion.V1 ? CLIENT_V1 : CLIENT_V2;
    }

    private static UpstreamConfig upstream(String scheme, ScriptedOrigin origin, @Nullable ProxyVersion version) {
        return UpstreamConfig.of("origin", EndpointConfig.parse(scheme + "://127.0.0.1:" + origin.port()))
                .withProxyProtocol(version);
    }

    private void hear(ScriptedConnection connection, int bytes) throws Exception {
        heard.add(new String(connection.readBytes(bytes), ISO_8859_1));
    }

    private ScriptedOrigin hearing(int bytes) {
        return ScriptedOrigin.start().onConnection(c -> {
            hear(c, bytes);
            c.answerEvery((r, each) -> each.send(Responses.ok("hello")));
        });
    }

    @ParameterizedTest
    @EnumSource
    void theHeaderWithTheClientIsSentFirst(ProxyVersion version) throws Exception {
        try (ScriptedOrigin origin = hearing(client(version).length());
                Running gateway = new Setup()
                        .upstream(upstream("http", origin, version))
                        .announcedBy("127.0.0.1")
                        .start();
                RawClient client = gateway.client()) {
            client.send(CLIENT_V1);
            assertThat(client.get("/").body()).isEqualTo("hello");
            assertThat(heard.poll(10, TimeUnit.SECONDS)).isEqualTo(client(version));
        }
    }

    @Test
    void withoutAProxyTheClientIsThePeer() throws Exception {
        ScriptedOrigin lines = ScriptedOrigin.start().onConnection(c -> {
            StringBuilder line = new StringBuilder();
            while (line.indexOf("\r\n") < 0) {
                line.append((char) c.readBytes(1)[0]);
            }
            heard.add(line.toString());
            c.answerEvery((r, each) -> each.send(Responses.ok("hello")));
        });
        try (ScriptedOrigin origin = lines;
                Running gateway = new Setup()
                        .upstream(upstream("http", origin, ProxyVersion.V1))
                        .start();
                RawClient client = gateway.client()) {
            assertThat(client.get("/").body()).isEqualTo("hello");
            assertThat(heard.poll(10, TimeUnit.SECONDS))
                    .isEqualTo(
                            "PROXY TCP4 127.0.0.1 127.0.0.1 %d %d\r\n",
                            client.localAddress().getPort(),
                            gateway.gateway().address("main").getPort());
        }
    }

    @Test
    void aConnectionCarriesTheRequestOfOneClient() throws Exception {
        try (ScriptedOrigin origin = hearing(CLIENT_V2.length());
                Running gateway = new Setup()
                        .upstream(upstream("http", origin, ProxyVersion.V2))
                        .start()) {
            for (int i = 0; i < 2; i++) {
                try (RawClient client = gateway.client()) {
                    assertThat(client.get("/").body()).isEqualTo("hello");
                    assertThat(client.get("/").body()).isEqualTo("hello");
                }
            }
            assertThat(origin.connectionsAccepted()).isEqualTo(4);
            assertThat(gateway.pools().idle()).isZero();
        }
    }

    @Test
    void aWaitingRequestGetsASeparateConnection() throws Exception {
        Duration enough = Duration.ofSeconds(30);
        try (ScriptedOrigin origin = hearing(CLIENT_V1.length());
                Running gateway = new Setup()
                        .upstream(upstream("http", origin, ProxyVersion.V1)
                                .withPool(new PoolConfig(1, 10, enough, enough, 0)))
                        .announcedBy("127.0.0.1")
                        .start();
                RawClient one = gateway.client();
                RawClient two = gateway.client();
                RawClient three = gateway.client()) {
            RawClient[] all = {one, two, three};
            for (int i = 0; i < 3; i++) {
                all[i].send(CLIENT_V1.replace("0.2.7", "0.2." + (i + 1)) + "GET /" + (i + 1)
                        + " HTTP/1.1\r\nHost: a.test\r\n\r\n");
            }
            for (RawClient each : all) {
                assertThat(each.readResponse().body()).isEqualTo("hello");
            }
            assertThat(heard).hasSize(3);
            // In order of arrival, each request follows the header of its client.
            for (var request : origin.requests()) {
                String who = "192.0.2." + request.target().substring(1);
                assertThat(request.value("x-forwarded-for")).contains(who);
                assertThat(heard.poll()).contains(who);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void tlsFollowsTheHeader(ProxyVersion version) throws Exception {
        int length = client(version).length();
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> hear(c, length + 1));
                Running gateway = new Setup()
                        .upstream(upstream("https", origin, version))
                        .announcedBy("127.0.0.1")
                        .start();
                RawClient client = gateway.client()) {
            client.send(CLIENT_V1);
            assertThat(client.get("/").status()).isEqualTo(502);
            // The first byte of a handshake.
            assertThat(heard.poll(10, TimeUnit.SECONDS)).isEqualTo(client(version) + "\u0016");
        }
    }

    @ParameterizedTest
    @EnumSource
    void healthChecksNameNoClient(ProxyVersion version) throws Exception {
        String nobody = version == ProxyVersion.V1 ? NOBODY_V1 : NOBODY_V2;
        ActiveHealthConfig check = new ActiveHealthConfig(
                "/health",
                null,
                0,
                Duration.ofMillis(200),
                new Percent(10),
                Duration.ofSeconds(2),
                2,
                1,
                Set.of(),
                null);
        try (ScriptedOrigin origin = hearing(nobody.length());
                Running gateway = new Setup()
                        .upstream(upstream("http", origin, version).withHealth(new HealthConfig(check, null)))
                        .start()) {
            assertThat(heard.poll(10, TimeUnit.SECONDS)).isEqualTo(nobody);
            assertThat(origin.awaitRequests(1).get(0).target()).isEqualTo("/health");
            assertThat(gateway.hasMoreOutcomes()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "AUTO"})
    void manyClientsOfOneHttp2ConnectionCanNotBeTold(UpstreamProtocol protocol) {
        assertThatThrownBy(() -> UpstreamConfig.of("origin", new EndpointConfig("127.0.0.1", 1))
                        .withProxyProtocol(ProxyVersion.V2)
                        .withPool(PoolConfig.DEFAULT.speaking(protocol)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("proxy-protocol");
    }
}
