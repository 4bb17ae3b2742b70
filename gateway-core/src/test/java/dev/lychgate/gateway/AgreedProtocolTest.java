package dev.lychgate.gateway;

import static dev.lychgate.testing.AlpnOrigin.H2;
import static dev.lychgate.testing.AlpnOrigin.HTTP_1_1;
import static dev.lychgate.testing.Eventually.eventually;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.lychgate.config.ActiveHealthConfig;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.GrpcHealthConfig;
import dev.lychgate.config.HealthConfig;
import dev.lychgate.config.OriginTlsConfig;
import dev.lychgate.config.Percent;
import dev.lychgate.config.PoolConfig;
import dev.lychgate.config.TlsProvider;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.config.UpstreamProtocol;
import dev.lychgate.testing.AlpnOrigin;
import dev.lychgate.testing.Certificates;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.Http2Origin;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.upstream.Endpoint;
import dev.lychgate.upstream.EndpointState;
import dev.lychgate.upstream.EndpointState.Health;
import io.netty.pkitesting.X509Bundle;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The protocol to an origin that negotiates in the TLS handshake, or does not negotiate; for requests and checks. */
@Tag("slow")
class AgreedProtocolTest {
    private static final Certificates CA = Certificates.authority("Test Authority");
    private static final X509Bundle OWN = CA.issue("127.0.0.1");

    @TempDir
    @SuppressWarnings("NullAway.Init") // by JUnit
    private Path directory;

    private UpstreamConfig upstream(UpstreamProtocol protocol, String... urls) {
        EndpointConfig[] endpoints = Stream.of(urls).map(EndpointConfig::parse).toArray(EndpointConfig[]::new);
        OriginTlsConfig believing = OriginTlsConfig.DEFAULT.withCa(CA.writeCa(directory, "ca.pem"));
        return UpstreamConfig.of("origin", endpoints)
                .withTls(Stream.of(urls).anyMatch(url -> url.startsWith("https")) ? believing : null)
                .withPool(PoolConfig.DEFAULT.speaking(protocol));
    }

    private static String https(AlpnOrigin origin) {
        return "https://127.0.0.1:" + origin.port();
    }

    private static HealthConfig checks(boolean grpc) {
        ActiveHealthConfig get = new ActiveHealthConfig(
                "/health?deep=1",
                "checked.test",
                0,
                Duration.ofMillis(100),
                new Percent(0),
                Duration.ofSeconds(5),
                1,
                1,
                Set.of(),
                null);
        return new HealthConfig(grpc ? get.calling(GrpcHealthConfig.DEFAULT) : get, null);
    }

    private static List<EndpointState> states(Running gateway) {
        var upstream = requireNonNull(gateway.gateway().generation().upstream("origin"));
        return upstream.endpoints().stream()
                .map(Endpoint::address)
                .map(upstream.state()::of)
                .toList();
    }

    static Stream<Arguments> origins() {
        return Stream.of(
                arguments(List.of(H2, HTTP_1_1), H2),
                arguments(List.of(HTTP_1_1, H2), HTTP_1_1),
                arguments(List.of(H2), H2),
                arguments(List.of(HTTP_1_1), HTTP_1_1),
                arguments(List.of(), HTTP_1_1));
    }

    private static void assertSpeaksWhatIsAgreedOn(UpstreamConfig upstream, AlpnOrigin origin, String spoken)
            throws Exception {
        try (Running gateway = new Setup().upstream(upstream).start();
                RawClient client = gateway.client()) {
            for (int i = 0; i < 5; i++) {
                assertThat(client.get("/x?y=" + i).body()).isEqualTo(spoken);
            }
            assertThat(origin.accepted()).isEqualTo(1);
            assertThat(origin.asked())
                    .hasSize(5)
                    .allSatisfy(asked -> assertThat(asked.protocol()).isEqualTo(spoken));
            assertThat(origin.asked().get(4).path()).isEqualTo("/x?y=4");
        }
    }

    @ParameterizedTest
    @MethodSource("origins")
    void autoUsesTheNegotiatedProtocol(List<String> offered, String spoken) throws Exception {
        try (AlpnOrigin origin = AlpnOrigin.start(OWN, offered.toArray(String[]::new))) {
            assertSpeaksWhatIsAgreedOn(upstream(UpstreamProtocol.AUTO, https(origin)), origin, spoken);
        }
    }

    @ParameterizedTest
    @MethodSource("origins")
    void theTlsOfTheJdkAgreesAsWell(List<String> offered, String spoken) throws Exception {
        try (AlpnOrigin origin = AlpnOrigin.start(OWN, offered.toArray(String[]::new))) {
            UpstreamConfig auto = upstream(UpstreamProtocol.AUTO, https(origin));
            OriginTlsConfig tls = requireNonNull(auto.tls()).withProvider(TlsProvider.JDK);
            assertSpeaksWhatIsAgreedOn(auto.withTls(tls), origin, spoken);
        }
    }

    @ParameterizedTest
    @MethodSource("origins")
    void h2UsesNoOtherProtocol(List<String> offered, String preferred) throws Exception {
        try (AlpnOrigin origin = AlpnOrigin.start(OWN, offered.toArray(String[]::new));
                Running gateway = new Setup()
                        .upstream(upstream(UpstreamProtocol.H2, https(origin)))
                        .start();
                RawClient client = gateway.client()) {
            RawMessage response = client.get("/");
            if (offered.contains(H2)) {
                assertThat(response.body()).isEqualTo(H2);
            } else {
                assertThat(response.status()).isEqualTo(502);
                assertThat(response.body()).contains("tls-failed").contains("does not offer HTTP/2");
                assertThat(origin.asked()).isEmpty();
            }
        }
    }

    @Test
    void eachEndpointOfAnUpstreamNegotiatesSeparately() throws Exception {
        try (AlpnOrigin two = AlpnOrigin.start(OWN, H2, HTTP_1_1);
                AlpnOrigin one = AlpnOrigin.start(OWN, HTTP_1_1);
                AlpnOrigin old = AlpnOrigin.start(OWN);
                ScriptedOrigin plain = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("plain")));
                Running gateway = new Setup()
                        .upstream(upstream(
                                        UpstreamProtocol.AUTO,
                                        https(two),
                                        https(one),
                                        https(old),
                                        "http://127.0.0.1:" + plain.port())
                                .withHealth(checks(false)))
                        .start();
                Http2Client client = gateway.http2()) {
            eventually(() -> assertThat(states(gateway))
                    .extracting(EndpointState::health)
                    .containsOnly(Health.HEALTHY));
            int requests = 80;
            for (int i = 0; i < requests; i++) {
                client.get(2 * i + 1, "/all");
            }
            Set<String> answers = new TreeSet<>();
            for (int i = 0; i < requests; i++) {
                answers.add(client.response(2 * i + 1).body());
            }
            assertThat(answers).containsExactly(H2, HTTP_1_1, "plain");
            for (AlpnOrigin origin : List.of(two, one, old)) {
                String spoken = origin == two ? H2 : HTTP_1_1;
                assertThat(origin.asked())
                        .anySatisfy(asked -> assertThat(asked.path()).isEqualTo("/all"))
                        .allSatisfy(asked -> assertThat(asked.protocol()).isEqualTo(spoken));
            }
        }
    }

    @Test
    void anEndpointThatNoLongerSpeaksHttp2GetsAConnectionForEachWaitingRequest() throws Exception {
        try (AlpnOrigin origin = AlpnOrigin.start(OWN, H2, HTTP_1_1);
                Running gateway = new Setup()
                        .upstream(upstream(UpstreamProtocol.AUTO, https(origin)))
                        .start();
                Http2Client client = gateway.http2()) {
            assertThat(client.get(1, "/").response(1).body()).isEqualTo(H2);
            origin.changeTo(OWN, HTTP_1_1);
            origin.cut();
            eventually(() -> assertThat(gateway.pools().idle()).isZero());
            IntStream.rangeClosed(1, 20).forEach(i -> send(client, 2 * i + 1));
            for (int i = 1; i <= 20; i++) {
                assertThat(client.response(2 * i + 1).body()).isEqualTo(HTTP_1_1);
            }
            assertThat(gateway.pools().created()).isBetween(3L, 21L);

            // And back: idle HTTP/1.1 connections are used first, and serve as well.
            origin.changeTo(OWN, H2);
            origin.cut();
            eventually(() -> assertThat(gateway.pools().idle()).isZero());
            IntStream.rangeClosed(21, 40).forEach(i -> send(client, 2 * i + 1));
            for (int i = 21; i <= 40; i++) {
                assertThat(client.response(2 * i + 1).body()).isEqualTo(H2);
            }
        }
    }

    private static void send(Http2Client client, int stream) {
        try {
            client.get(stream, "/" + stream);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "AUTO"})
    void checksGoOverWhatRequestsGoOver(UpstreamProtocol protocol) throws Exception {
        try (AlpnOrigin origin = AlpnOrigin.start(OWN, H2, HTTP_1_1);
                Running gateway = new Setup()
                        .upstream(upstream(protocol, https(origin)).withHealth(checks(false)))
                        .start()) {
            eventually(() -> assertThat(states(gateway).get(0).health()).isEqualTo(Health.HEALTHY));
            eventually(() -> assertThat(origin.asked()).hasSizeGreaterThan(2));
            // An IP address cannot be sent as a server name (RFC 6066, 3).
            assertThat(origin.asked()).containsOnly(new AlpnOrigin.Asked(H2, "", "checked.test", "/health?deep=1"));
            eventually(() -> assertThat(origin.open()).isLessThanOrEqualTo(1));

            origin.changeTo(OWN, HTTP_1_1);
            if (protocol == UpstreamProtocol.H2) {
                eventually(
                        () -> assertThat(states(gateway).get(0).fault()).isEqualTo("the origin does not offer HTTP/2"));
                origin.changeTo(OWN, H2);
                eventually(() -> assertThat(states(gateway).get(0).health()).isEqualTo(Health.HEALTHY));
            } else {
                eventually(() -> assertThat(origin.asked())
                        .anySatisfy(asked -> assertThat(asked.protocol()).isEqualTo(HTTP_1_1)));
                assertThat(states(gateway).get(0).health()).isEqualTo(Health.HEALTHY);
            }
        }
    }

    @Test
    void anEndpointThatAgreesOnHttp11HasNoCheckByGrpc() throws Exception {
        try (AlpnOrigin origin = AlpnOrigin.start(OWN, HTTP_1_1);
                Running gateway = new Setup()
                        .upstream(upstream(UpstreamProtocol.AUTO, https(origin)).withHealth(checks(true)))
                        .start()) {
            eventually(() -> assertThat(states(gateway).get(0).fault()).isEqualTo("the origin does not offer HTTP/2"));
            assertThat(origin.asked()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NOTHING", "PATH", "BODY"})
    void checksOverHttp2WithoutTls(Checked what) throws Exception {
        ActiveHealthConfig check = new ActiveHealthConfig(
                what == Checked.NOTHING ? null : "/health",
                null,
                0,
                Duration.ofMinutes(10),
                new Percent(0),
                Duration.ofSeconds(30),
                1,
                1,
                Set.of(),
                what == Checked.BODY ? "well" : null);
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = new Setup()
                        .upstream(upstream(
                                        UpstreamProtocol.H2,
                                        "http://127.0.0.1:" + origin.address().getPort())
                                .withHealth(new HealthConfig(check, null)))
                        .start()) {
            if (what != Checked.NOTHING) {
                Http2Client connection = origin.accept();
                assertThat(connection.asked(1).value(":path")).contains("/health");
                assertThat(connection.stream(1).value(":authority"))
                        .contains("127.0.0.1:" + origin.address().getPort());
                assertThat(states(gateway).get(0).health()).isEqualTo(Health.UNKNOWN);
                connection.headers(1, Http2Client.NONE, ":status", "200").data(1, "all is well", true);
                connection.awaitEnd();
            }
            eventually(() -> assertThat(states(gateway).get(0).health()).isEqualTo(Health.HEALTHY));
        }
    }

    private enum Checked {
        NOTHING,
        PATH,
        BODY
    }
}
