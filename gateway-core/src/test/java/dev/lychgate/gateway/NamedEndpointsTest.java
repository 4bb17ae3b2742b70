package dev.lychgate.gateway;

import static dev.lychgate.testing.Eventually.eventually;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.ActiveHealthConfig;
import dev.lychgate.config.AddressFamily;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.DnsConfig;
import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.HealthConfig;
import dev.lychgate.config.OnFailure;
import dev.lychgate.config.Percent;
import dev.lychgate.config.ServiceConfig;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.dns.NameStatus;
import dev.lychgate.generation.Generation;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedDns;
import dev.lychgate.testing.ScriptedDns.Mood;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.upstream.Endpoint;
import dev.lychgate.upstream.EndpointState.AdminState;
import dev.lychgate.upstream.UpstreamState;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Endpoints that DNS names, with a DNS server and origins of the test's own, all over real sockets. */
@Tag("slow")
class NamedEndpointsTest {
    private final ScriptedDns dns = ScriptedDns.start();
    private final ScriptedOrigin one = origin("127.0.0.1", 0);
    private final ScriptedOrigin two = origin("127.0.0.2", one.port());
    private final ScriptedOrigin three = origin("127.0.0.3", one.port());

    private static ScriptedOrigin origin(String ip, int port) {
        return ScriptedOrigin.answeringAt(
                new InetSocketAddress(ip, port),
                (r, c) -> c.send(Responses.ok(ip + " " + r.value("host").orElse("?"))));
    }

    @AfterEach
    void close() {
        List.of(one, two, three).forEach(ScriptedOrigin::close);
        dns.close();
    }

    private DnsConfig asked(AddressFamily family) {
        return asked(dns, family, Duration.ofSeconds(5));
    }

    private static DnsConfig asked(ScriptedDns server, AddressFamily family, Duration timeout) {
        return new DnsConfig(
                List.of(new EndpointAddress("127.0.0.1", server.address().getPort())),
                family,
                Duration.ofMillis(100),
                Duration.ofMinutes(1),
                timeout);
    }

    private UpstreamConfig named() {
        return UpstreamConfig.of("origin", new EndpointConfig("api.test", one.port()))
                .withDns(asked(AddressFamily.EITHER));
    }

    private UpstreamConfig service() {
        return UpstreamConfig.of("origin", new EndpointConfig("127.0.0.9", 9))
                .withServices(List.of(new ServiceConfig("_http._tcp.api.test")))
                .withEndpoints(List.of())
                .withDns(asked(AddressFamily.EITHER));
    }

    private static Set<String> answers(Running gateway, int requests) throws IOException {
        Set<String> answers = new TreeSet<>();
        try (RawClient client = gateway.client()) {
            for (int i = 0; i < requests; i++) {
                answers.add(client.get("/").body());
            }
        }
        return answers;
    }

    private static List<String> endpoints(Running gateway) {
        return endpoints(gateway.gateway().generation(), "origin");
    }

    private static List<String> endpoints(Generation generation, String upstream) {
        return requireNonNull(generation.upstream(upstream)).endpoints().stream()
                .map(e -> e.address().host())
                .toList();
    }

    private static NameStatus status(Running gateway) {
        return gateway.gateway().nameStatuses().get(0);
    }

    @Test
    void everyAddressOfANameIsAnEndpointWithTheNameAsHost() throws Exception {
        dns.host("api.test", 60, "127.0.0.2", "127.0.0.1");
        try (Running gateway = new Setup().upstream(named()).start()) {
            assertThat(endpoints(gateway)).containsExactly("127.0.0.1", "127.0.0.2");
            assertThat(answers(gateway, 40)).containsExactly("127.0.0.1 lychgate.test", "127.0.0.2 lychgate.test");
            Endpoint first = requireNonNull(gateway.gateway().generation().upstream("origin"))
                    .endpoints()
                    .get(0);
            assertThat(first.hostField()).isEqualTo("api.test:" + one.port());
            assertThat(status(gateway)).isEqualTo(new NameStatus("origin", "api.test", 1, 0, null));
        }
    }

    @Test
    void followsChangesInDnsWithoutAFailureOrANewGenerationNumber() throws Exception {
        dns.host("api.test", 0, "127.0.0.1", "127.0.0.2");
        try (Running gateway = new Setup().upstream(named()).start()) {
            gateway.gateway()
                    .generation()
                    .upstreams()
                    .forEach(u -> u.state().admin(new EndpointAddress("127.0.0.2", two.port()), AdminState.DRAINING));
            assertThat(answers(gateway, 20)).containsExactly("127.0.0.1 lychgate.test");

            dns.host("api.test", 0, "127.0.0.2", "127.0.0.3");
            try (RawClient client = gateway.client()) {
                eventually(() -> assertThat(client.get("/").body()).startsWith("127.0.0.3"));
                // The operator's setting for an address persists as long as DNS returns it.
                for (int i = 0; i < 20; i++) {
                    assertThat(client.get("/").body()).startsWith("127.0.0.3");
                }
            }
            assertThat(endpoints(gateway)).containsExactly("127.0.0.2", "127.0.0.3");
            assertThat(gateway.gateway().generation().number()).isEqualTo(1);
            one.awaitOpenConnections(0);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Mood.class,
            names = {"SILENT", "SERVER_FAILURE", "NO_SUCH_NAME", "EMPTY"})
    void theLastGoodAnswerStaysWhateverBecomesOfDns(Mood mood) throws Exception {
        dns.host("api.test", 0, "127.0.0.1", "127.0.0.2");
        // Silence is noticed when this is over, again and again.
        Duration timeout = Duration.ofMillis(mood == Mood.SILENT ? 500 : 5000);
        UpstreamConfig upstream = named().withDns(asked(dns, AddressFamily.EITHER, timeout));
        try (Running gateway = new Setup().upstream(upstream).start()) {
            eventually(() -> assertThat(endpoints(gateway)).containsExactly("127.0.0.1", "127.0.0.2"));
            dns.mood(mood);
            eventually(() -> assertThat(status(gateway).failed()).isGreaterThan(1));
            assertThat(status(gateway).fault())
                    .contains(
                            switch (mood) {
                                case SILENT -> "timed out";
                                case SERVER_FAILURE -> "SERVFAIL";
                                case NO_SUCH_NAME -> "NXDOMAIN";
                                default -> "Failed to resolve";
                            });
            assertThat(answers(gateway, 40)).containsExactly("127.0.0.1 lychgate.test", "127.0.0.2 lychgate.test");

            dns.mood(Mood.ANSWERING).host("api.test", 0, "127.0.0.3");
            eventually(() -> assertThat(endpoints(gateway)).containsExactly("127.0.0.3"));
            assertThat(answers(gateway, 5)).containsExactly("127.0.0.3 lychgate.test");
        }
    }

    @Test
    void aGatewayStartsWithoutDnsAndFindsItsEndpointsLater() throws Exception {
        dns.mood(Mood.NO_SUCH_NAME);
        try (Running gateway = new Setup().upstream(named()).start()) {
            try (RawClient client = gateway.client()) {
                assertThat(client.get("/").status()).isEqualTo(502);
            }
            dns.mood(Mood.ANSWERING).host("api.test", 0, "127.0.0.2");
            eventually(() -> assertThat(endpoints(gateway)).containsExactly("127.0.0.2"));
            assertThat(answers(gateway, 5)).containsExactly("127.0.0.2 lychgate.test");
        }
    }

    @Test
    void aTruncatedResultIsFetchedOverTcp() throws Exception {
        dns.mood(Mood.TRUNCATING).host("api.test", 60, "127.0.0.1", "127.0.0.2", "127.0.0.3");
        try (Running gateway = new Setup().upstream(named()).start()) {
            assertThat(endpoints(gateway)).containsExactly("127.0.0.1", "127.0.0.2", "127.0.0.3");
        }
    }

    @Test
    void theShortestTimeToLiveOfAliasAndAddressCounts() throws Exception {
        dns.alias("api.test", 0, "real.test").host("real.test", 600, "127.0.0.1");
        try (Running gateway = new Setup().upstream(named()).start()) {
            assertThat(endpoints(gateway)).containsExactly("127.0.0.1");
            dns.alias("api.test", 600, "other.test").host("other.test", 600, "127.0.0.2");
            eventually(() -> assertThat(endpoints(gateway)).containsExactly("127.0.0.2"));
        }
    }

    @ParameterizedTest
    @EnumSource(AddressFamily.class)
    void theFamilySelectsTheAddresses(AddressFamily family) throws Exception {
        dns.host("api.test", 60, "127.0.0.1", "::1");
        UpstreamConfig upstream = named().withDns(asked(family));
        try (Running gateway = new Setup().upstream(upstream).start()) {
            assertThat(endpoints(gateway))
                    .isEqualTo(
                            switch (family) {
                                case EITHER, IPV4 -> List.of("127.0.0.1");
                                case IPV6 -> List.of("::1");
                                case BOTH -> List.of("127.0.0.1", "::1");
                            });
        }
    }

    @Test
    void aHostWithoutIpv4IsFoundByItsIpv6Addresses() throws Exception {
        dns.host("api.test", 60, "::1");
        try (Running gateway = new Setup().upstream(named()).start()) {
            assertThat(endpoints(gateway)).containsExactly("::1");
        }
    }

    @Test
    void namesOfTheHostsFileNeedNoServer() throws Exception {
        dns.mood(Mood.SILENT);
        UpstreamConfig upstream = UpstreamConfig.of("origin", new EndpointConfig("localhost", one.port()))
                .withDns(asked(AddressFamily.EITHER));
        try (Running gateway = new Setup().upstream(upstream).start()) {
            assertThat(endpoints(gateway)).containsExactly("127.0.0.1");
            assertThat(dns.questions()).isEmpty();
        }
    }

    @Test
    void aServiceSetsPortsWeightsAndPriorities() throws Exception {
        dns.service(
                        "_http._tcp.api.test",
                        0,
                        "10 3 " + one.port() + " a.test",
                        "10 1 " + two.port() + " b.test",
                        "20 0 " + three.port() + " c.test",
                        "20 0 " + three.port() + " gone.test")
                .host("a.test", 60, "127.0.0.1")
                .host("b.test", 60, "127.0.0.2")
                .host("c.test", 60, "127.0.0.3");
        try (Running gateway = new Setup().upstream(service()).start()) {
            assertThat(requireNonNull(gateway.gateway().generation().upstream("origin"))
                            .config()
                            .endpoints())
                    .extracting(e -> e.address().host(), EndpointConfig::weight, EndpointConfig::priority)
                    .containsExactly(
                            org.assertj.core.groups.Tuple.tuple("127.0.0.1", 3, 0),
                            org.assertj.core.groups.Tuple.tuple("127.0.0.2", 1, 0),
                            org.assertj.core.groups.Tuple.tuple("127.0.0.3", 1, 1));
            assertThat(answers(gateway, 60)).containsExactly("127.0.0.1 lychgate.test", "127.0.0.2 lychgate.test");

            dns.service("_http._tcp.api.test", 0, "10 1 " + three.port() + " c.test");
            eventually(() -> assertThat(endpoints(gateway)).containsExactly("127.0.0.3"));
            assertThat(answers(gateway, 5)).containsExactly("127.0.0.3 lychgate.test");
        }
    }

    /** A DNS label may contain any bytes, so a name may be invalid in HTTP. */
    @Test
    void targetsThatAreNoValidHostsAreLeftOut() throws Exception {
        dns.service("_http._tcp.api.test", 0, "0 1 " + one.port() + " x:80.test")
                .host("x:80.test", 0, "127.0.0.1")
                .host("other.test", 0, "127.0.0.3")
                .host("a.test", 60, "127.0.0.2");
        UpstreamConfig other = UpstreamConfig.of("other", new EndpointConfig("other.test", one.port()))
                .withDns(asked(AddressFamily.EITHER));
        try (Running gateway = new Setup().upstream(service()).upstream(other).start()) {
            eventually(() -> assertThat(gateway.gateway().nameStatuses())
                    .filteredOn(s -> s.name().startsWith("_http"))
                    .allSatisfy(s -> assertThat(s.fault()).contains("no usable SRV records")));
            dns.host("other.test", 0, "127.0.0.2");
            eventually(() -> assertThat(
                            requireNonNull(gateway.gateway().generation().upstream("other"))
                                    .endpoints())
                    .extracting(e -> e.address().host())
                    .containsExactly("127.0.0.2"));
            dns.service("_http._tcp.api.test", 0, "0 1 " + one.port() + " x:80.test", "0 1 " + two.port() + " a.test");
            eventually(() -> assertThat(endpoints(gateway)).containsExactly("127.0.0.2"));
            gateway.gateway().apply(gateway.gateway().generation().config());
            assertThat(answers(gateway, 3)).containsExactly("127.0.0.2 lychgate.test");
        }
    }

    @Test
    void unusableAddressesAreNoEndpoints() throws Exception {
        dns.host("api.test", 0, "0.0.0.0", "224.0.0.1", "255.255.255.255", "127.0.0.2");
        try (Running gateway = new Setup().upstream(named()).start()) {
            assertThat(endpoints(gateway)).containsExactly("127.0.0.2");
            dns.host("api.test", 0, "0.0.0.0");
            eventually(() -> assertThat(status(gateway).fault()).contains("no usable address"));
            assertThat(endpoints(gateway)).containsExactly("127.0.0.2");
        }
    }

    @Test
    void anUnavailableServiceHasNoEndpoints() throws Exception {
        dns.service("_http._tcp.api.test", 0, "0 0 0 .");
        try (Running gateway = new Setup().upstream(service()).start();
                RawClient client = gateway.client()) {
            assertThat(client.get("/").status()).isEqualTo(503);
            dns.service("_http._tcp.api.test", 0, "0 0 " + one.port() + " a.test")
                    .host("a.test", 60, "127.0.0.1");
            eventually(() -> assertThat(client.get("/").status()).isEqualTo(200));
        }
    }

    @Test
    void newAddressesAreCheckedAndRemovedOnesAreNot() throws Exception {
        dns.host("api.test", 0, "127.0.0.1");
        HealthConfig health = new HealthConfig(
                new ActiveHealthConfig(
                        "/health",
                        null,
                        0,
                        Duration.ofMillis(100),
                        new Percent(10),
                        Duration.ofMillis(300),
                        1,
                        1,
                        Set.of(),
                        null),
                null);
        try (Running gateway = new Setup().upstream(named().withHealth(health)).start()) {
            assertThat(one.awaitRequests(1).get(0).value("host")).hasValue("api.test:" + one.port());
            dns.host("api.test", 0, "127.0.0.2");
            two.awaitRequests(2);
            int before = one.requestsSeen();
            two.awaitRequests(6);
            assertThat(endpoints(gateway)).containsExactly("127.0.0.2");
            assertThat(one.requestsSeen()).isLessThanOrEqualTo(before + 1);
        }
    }

    @Test
    void aReloadAddsAndRemovesNames() throws Exception {
        dns.host("api.test", 0, "127.0.0.2").host("other.test", 0, "127.0.0.3");
        Setup setup = Setup.to(one.address());
        try (Running gateway = setup.start()) {
            GatewayConfig plain = gateway.gateway().generation().config();
            UpstreamConfig other = UpstreamConfig.of("origin", new EndpointConfig("other.test", one.port()))
                    .withDns(asked(AddressFamily.EITHER));
            gateway.gateway().apply(with(plain, named()));
            assertThat(answers(gateway, 5)).containsExactly("127.0.0.2 lychgate.test");
            gateway.gateway().apply(with(plain, other));
            assertThat(answers(gateway, 5)).containsExactly("127.0.0.3 lychgate.test");
            gateway.gateway().apply(plain);
            assertThat(answers(gateway, 5)).containsExactly("127.0.0.1 lychgate.test");
            assertThat(gateway.gateway().nameStatuses()).isEmpty();
            UpstreamState state =
                    gateway.gateway().generation().upstreamStates().of("origin");
            eventually(() -> assertThat(state.answers().known()).isEmpty());
        }
    }

    /** A reload waits for the first results for its names, and DNS does not wait for the reload. */
    @Test
    void resultsOfAReloadStayWhileTheRunningGenerationFollowsItsNames() throws Exception {
        dns.host("api.test", 0, "127.0.0.1").host("other.test", 600, "127.0.0.3");
        try (ScriptedDns silent = ScriptedDns.start().mood(Mood.SILENT);
                Running gateway = new Setup().upstream(named()).start()) {
            UpstreamConfig two = UpstreamConfig.of(
                            "origin",
                            new EndpointConfig("api.test", one.port()),
                            new EndpointConfig("other.test", one.port()))
                    .withDns(asked(AddressFamily.EITHER));
            UpstreamConfig added =
                    UpstreamConfig.of("added", two.endpoints().get(1)).withDns(two.dns());
            UpstreamConfig slow = UpstreamConfig.of("slow", new EndpointConfig("slow.test", 80))
                    .withDns(asked(silent, AddressFamily.EITHER, Duration.ofSeconds(5)));
            GatewayConfig changed = with(gateway.gateway().generation().config(), two, added, slow);
            CompletableFuture<Generation> reload =
                    CompletableFuture.supplyAsync(() -> gateway.gateway().apply(changed));
            eventually(() -> assertThat(gateway.gateway().nameStatuses())
                    .filteredOn(status -> status.name().equals("other.test"))
                    .hasSize(2)
                    .allSatisfy(status -> assertThat(status.answered()).isEqualTo(1)));
            dns.host("api.test", 0, "127.0.0.2");
            eventually(() -> assertThat(endpoints(gateway)).contains("127.0.0.2"));

            Generation next = reload.get(10, TimeUnit.SECONDS);
            assertThat(endpoints(next, "origin")).containsExactly("127.0.0.2", "127.0.0.3");
            assertThat(endpoints(next, "added")).containsExactly("127.0.0.3");
        }
    }

    @Test
    void resultsOfARefusedReloadHaveNoEffect() throws Exception {
        dns.host("api.test", 0, "127.0.0.1");
        try (ScriptedDns others = ScriptedDns.start().host("api.test", 0, "127.0.0.2");
                Running gateway = new Setup().upstream(named()).start()) {
            UpstreamConfig changed = named().withDns(asked(others, AddressFamily.EITHER, Duration.ofSeconds(5)));
            GatewayConfig refused = new Setup()
                    .upstream(changed)
                    .onFailure(OnFailure.filter("nobody brings", Set.of()))
                    .config();
            assertThatThrownBy(() -> gateway.gateway().apply(refused)).isInstanceOf(ConfigException.class);
            assertThat(others.questions()).isNotEmpty();
            assertThat(endpoints(gateway)).containsExactly("127.0.0.1");
            dns.host("api.test", 0, "127.0.0.1", "127.0.0.3");
            eventually(() -> assertThat(endpoints(gateway)).containsExactly("127.0.0.1", "127.0.0.3"));
        }
    }

    @Test
    void aFailedLookupWithNewSettingsRemovesNoEndpoints() throws Exception {
        dns.service("_http._tcp.api.test", 0, "0 1 " + two.port() + " a.test").host("a.test", 60, "127.0.0.2");
        try (Running gateway = new Setup().upstream(service()).start()) {
            assertThat(endpoints(gateway)).containsExactly("127.0.0.2");
            dns.mood(Mood.SERVER_FAILURE);
            UpstreamConfig changed = service().withDns(asked(dns, AddressFamily.IPV4, Duration.ofMillis(1500)));
            gateway.gateway().apply(with(gateway.gateway().generation().config(), changed));
            assertThat(endpoints(gateway)).containsExactly("127.0.0.2");
            dns.mood(Mood.ANSWERING).host("a.test", 60, "127.0.0.3");
            eventually(() -> assertThat(endpoints(gateway)).containsExactly("127.0.0.3"));
        }
    }

    private static GatewayConfig with(GatewayConfig c, UpstreamConfig... upstreams) {
        return new GatewayConfig(
                c.workers(),
                c.transport(),
                c.drain(),
                c.listeners(),
                c.routes(),
                Arrays.stream(upstreams).collect(Collectors.toMap(UpstreamConfig::name, upstream -> upstream)),
                c.admin(),
                c.accessLog());
    }
}
