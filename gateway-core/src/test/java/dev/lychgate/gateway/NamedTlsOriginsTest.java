package dev.lychgate.gateway;

import static dev.lychgate.testing.AlpnOrigin.H2;
import static dev.lychgate.testing.AlpnOrigin.HTTP_1_1;
import static dev.lychgate.testing.Eventually.eventually;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.ActiveHealthConfig;
import dev.lychgate.config.AddressFamily;
import dev.lychgate.config.DnsConfig;
import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.HealthConfig;
import dev.lychgate.config.OriginTlsConfig;
import dev.lychgate.config.Percent;
import dev.lychgate.config.PoolConfig;
import dev.lychgate.config.ServiceConfig;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.config.UpstreamProtocol;
import dev.lychgate.testing.AlpnOrigin;
import dev.lychgate.testing.AlpnOrigin.Asked;
import dev.lychgate.testing.Certificates;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.ScriptedDns;
import io.netty.pkitesting.X509Bundle;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** TLS origins with addresses from DNS: the gateway sends their name, and their certificate has to contain it. */
@SuppressWarnings("NullAway.Init") // by JUnit
@Tag("slow")
class NamedTlsOriginsTest {
    private static final Certificates CA = Certificates.authority("Test Authority");
    private static final X509Bundle API = CA.issue("api.test");

    @TempDir
    private Path directory;

    private ScriptedDns dns;
    private AlpnOrigin one;
    private AlpnOrigin two;

    @BeforeEach
    void start() throws Exception {
        dns = ScriptedDns.start();
        one = AlpnOrigin.at("127.0.0.1", 0, API, H2, HTTP_1_1);
        two = AlpnOrigin.at("127.0.0.2", one.port(), API, H2, HTTP_1_1);
    }

    @AfterEach
    void close() {
        one.close();
        two.close();
        dns.close();
    }

    private OriginTlsConfig believing() {
        return OriginTlsConfig.DEFAULT.withCa(CA.writeCa(directory, "ca.pem"));
    }

    private DnsConfig asked() {
        return new DnsConfig(
                List.of(new EndpointAddress("127.0.0.1", dns.address().getPort())),
                AddressFamily.IPV4,
                Duration.ofMillis(100),
                Duration.ofMinutes(1),
                Duration.ofSeconds(5));
    }

    private UpstreamConfig named(UpstreamProtocol protocol) {
        return UpstreamConfig.of("origin", EndpointConfig.parse("https://api.test:" + one.port()))
                .withDns(asked())
                .withTls(believing())
                .withPool(PoolConfig.DEFAULT.speaking(protocol));
    }

    private UpstreamConfig service(OriginTlsConfig tls) {
        return UpstreamConfig.of("origin", new EndpointConfig("127.0.0.9", 9))
                .withServices(List.of(new ServiceConfig("_https._tcp.api.test")))
                .withEndpoints(List.of())
                .withDns(asked())
                .withTls(tls)
                .withPool(PoolConfig.DEFAULT.speaking(UpstreamProtocol.AUTO));
    }

    private static RawMessage get(Running gateway) throws Exception {
        try (RawClient client = gateway.client()) {
            return client.get("/");
        }
    }

    private static List<String> endpoints(Running gateway) {
        return requireNonNull(gateway.gateway().generation().upstream("origin")).endpoints().stream()
                .map(endpoint -> endpoint.address().host())
                .toList();
    }

    private static void assertAskedFor(AlpnOrigin origin, String protocol, String name) {
        assertThat(origin.asked())
                .isNotEmpty()
                .extracting(Asked::protocol, Asked::serverName)
                .containsOnly(org.assertj.core.groups.Tuple.tuple(protocol, name));
    }

    @ParameterizedTest
    @EnumSource
    void everyAddressOfANameHasToProveTheName(UpstreamProtocol protocol) throws Exception {
        dns.host("api.test", 60, "127.0.0.1", "127.0.0.2");
        String spoken = protocol == UpstreamProtocol.HTTP_1_1 ? HTTP_1_1 : H2;
        try (Running gateway = new Setup().upstream(named(protocol)).start()) {
            for (int i = 0; i < 20; i++) {
                assertThat(get(gateway).body()).isEqualTo(spoken);
            }
            assertAskedFor(one, spoken, "api.test");
            assertAskedFor(two, spoken, "api.test");
        }
    }

    @Test
    void aCertificateForOnlyTheAddressIsRefused() throws Exception {
        dns.host("api.test", 60, "127.0.0.1");
        one.changeTo(CA.issue("127.0.0.1"), H2);
        try (Running gateway =
                new Setup().upstream(named(UpstreamProtocol.AUTO)).start()) {
            RawMessage response = get(gateway);
            assertThat(response.status()).isEqualTo(502);
            assertThat(response.body()).contains("tls-failed").contains("no subjectAltName for its host");
            assertThat(one.asked()).isEmpty();
        }
    }

    @Test
    void anAddressThatComesLaterHasToProveTheSameName() throws Exception {
        dns.host("api.test", 0, "127.0.0.1");
        try (Running gateway = new Setup().upstream(named(UpstreamProtocol.H2)).start()) {
            assertThat(get(gateway).body()).isEqualTo(H2);
            dns.host("api.test", 0, "127.0.0.2");
            eventually(() -> assertThat(endpoints(gateway)).containsExactly("127.0.0.2"));
            assertThat(get(gateway).body()).isEqualTo(H2);
            assertAskedFor(two, H2, "api.test");
            // The pool of a removed address is removed with it.
            eventually(() -> assertThat(one.open()).isZero());

            one.changeTo(CA.issue("other.test"), H2);
            dns.host("api.test", 0, "127.0.0.1");
            eventually(() -> assertThat(endpoints(gateway)).containsExactly("127.0.0.1"));
            assertThat(get(gateway).body()).contains("tls-failed").contains("no subjectAltName for its host");
        }
    }

    @Test
    void theTargetOfAServiceHasToProveItsOwnName() throws Exception {
        dns.service("_https._tcp.api.test", 60, "10 1 " + one.port() + " a.test", "10 1 " + two.port() + " b.test")
                .host("a.test", 60, "127.0.0.1")
                .host("b.test", 60, "127.0.0.2");
        one.changeTo(CA.issue("a.test"), H2, HTTP_1_1);
        two.changeTo(CA.issue("b.test"), HTTP_1_1);
        try (Running gateway = new Setup().upstream(service(believing())).start()) {
            for (int i = 0; i < 20; i++) {
                assertThat(get(gateway).status()).isEqualTo(200);
            }
            assertAskedFor(one, H2, "a.test");
            assertAskedFor(two, HTTP_1_1, "b.test");

            two.cut();
            two.changeTo(CA.issue("a.test"), HTTP_1_1);
            eventually(() -> assertThat(get(gateway).body()).contains("no subjectAltName for its host"));
        }
    }

    @Test
    void aConfiguredNameReplacesTheNamesOfDns() throws Exception {
        dns.service("_https._tcp.api.test", 60, "10 1 " + one.port() + " a.test", "10 1 " + two.port() + " b.test")
                .host("a.test", 60, "127.0.0.1")
                .host("b.test", 60, "127.0.0.2");
        OriginTlsConfig tls = believing().withServerName("api.test");
        try (Running gateway = new Setup().upstream(service(tls)).start()) {
            for (int i = 0; i < 20; i++) {
                assertThat(get(gateway).body()).isEqualTo(H2);
            }
            assertAskedFor(one, H2, "api.test");
            assertAskedFor(two, H2, "api.test");
        }
    }

    @Test
    void healthChecksSendTheNameToo() throws Exception {
        dns.host("api.test", 60, "127.0.0.1", "127.0.0.2");
        two.changeTo(CA.issue("127.0.0.2"), H2);
        ActiveHealthConfig check = new ActiveHealthConfig(
                "/health",
                null,
                0,
                Duration.ofMillis(100),
                new Percent(0),
                Duration.ofSeconds(5),
                1,
                1,
                Set.of(),
                null);
        UpstreamConfig upstream = named(UpstreamProtocol.H2).withHealth(new HealthConfig(check, null));
        try (Running gateway = new Setup().upstream(upstream).start()) {
            eventually(() -> assertThat(
                            requireNonNull(gateway.gateway().generation().upstream("origin"))
                                    .state()
                                    .of(new EndpointAddress("127.0.0.2", two.port(), true))
                                    .fault())
                    .isEqualTo("the origin's certificate has no subjectAltName for its host"));
            eventually(() -> assertThat(one.asked()).isNotEmpty());
            assertThat(one.asked()).containsOnly(new Asked(H2, "api.test", "api.test:" + one.port(), "/health"));
            assertThat(two.asked()).isEmpty();
        }
    }
}
