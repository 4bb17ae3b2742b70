package dev.lychgate.gateway;

import static dev.lychgate.gateway.Candidates.CANARY;
import static dev.lychgate.gateway.Candidates.included;
import static dev.lychgate.testing.Eventually.eventually;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.ActiveHealthConfig;
import dev.lychgate.config.AddressFamily;
import dev.lychgate.config.BreakerConfig;
import dev.lychgate.config.DnsConfig;
import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.HealthConfig;
import dev.lychgate.config.Percent;
import dev.lychgate.config.PoolConfig;
import dev.lychgate.config.RetryBudgetConfig;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.config.UpstreamResilience;
import dev.lychgate.generation.Generation;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedDns;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.upstream.Endpoint;
import dev.lychgate.upstream.EndpointState.Health;
import dev.lychgate.upstream.Upstream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A candidate that changes upstreams does not disturb the upstreams of the stable generation. */
@Tag("slow")
class CandidateUpstreamsTest {
    private static final int BAD = 500;

    private final ScriptedOrigin old = answering("old");
    private final ScriptedOrigin next = answering("next");

    /** Fails requests for {@code /bad} and health checks. */
    private static ScriptedOrigin answering(String text) {
        return ScriptedOrigin.answeringWhoStays(
                (r, c) -> c.send(r.target().equals("/") ? Responses.ok(text) : Responses.of(BAD, text)));
    }

    @AfterEach
    void close() {
        old.close();
        next.close();
    }

    private static EndpointConfig endpoint(ScriptedOrigin origin) {
        return new EndpointConfig("127.0.0.1", origin.port());
    }

    private static UpstreamConfig upstream(ScriptedOrigin... origins) {
        EndpointConfig[] endpoints = new EndpointConfig[origins.length];
        for (int i = 0; i < endpoints.length; i++) {
            endpoints[i] = endpoint(origins[i]);
        }
        return UpstreamConfig.of("origin", endpoints);
    }

    private static Setup to(UpstreamConfig upstream) {
        return new Setup().upstream(upstream);
    }

    private static void introduce(Running gateway, UpstreamConfig upstream) {
        gateway.gateway().introduce(to(upstream).config(), FilterSet.EMPTY, included());
    }

    private static RawMessage stable(RawClient client) throws IOException {
        return client.send(Candidates.get("")).readResponse();
    }

    private static RawMessage canary(RawClient client) throws IOException {
        return client.send(Candidates.get(CANARY)).readResponse();
    }

    private static RawMessage bad(RawClient client, String fields) throws IOException {
        return client.send("GET /bad HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n").readResponse();
    }

    private static Upstream origin(Generation generation) {
        return requireNonNull(generation.upstream("origin"));
    }

    private static Upstream stableOrigin(Running gateway) {
        return origin(gateway.gateway().generation());
    }

    private static Upstream candidateOrigin(Running gateway) {
        return origin(requireNonNull(gateway.gateway().candidate()));
    }

    private static EndpointAddress address(ScriptedOrigin of) {
        return endpoint(of).address();
    }

    // ---- endpoints and pools

    @Test
    void eachGenerationUsesItsOwnEndpointsOfAnUpstreamWithTheSameName() throws Exception {
        try (Running gateway = to(upstream(old)).start();
                RawClient client = gateway.client()) {
            introduce(gateway, upstream(next));
            for (int i = 0; i < 20; i++) {
                assertThat(stable(client).body()).isEqualTo("old");
                assertThat(canary(client).body()).isEqualTo("next");
            }
            gateway.gateway().withdraw();
            assertThat(canary(client).body()).isEqualTo("old");
            next.awaitOpenConnections(0);
            assertThat(old.connectionsAccepted()).isEqualTo(1);
        }
    }

    @Test
    void bothShareTheConnectionsToAnEndpointThatBothContain() throws Exception {
        try (Running gateway = to(upstream(old)).start();
                RawClient client = gateway.client()) {
            introduce(gateway, upstream(old, next));
            for (int i = 0; i < 20; i++) {
                assertThat(stable(client).body()).isEqualTo("old");
                assertThat(canary(client).status()).isEqualTo(200);
            }
            gateway.gateway().promote();
            assertThat(stable(client).status()).isEqualTo(200);
            assertThat(stable(client).status()).isEqualTo(200);
            assertThat(old.connectionsAccepted()).isEqualTo(1);
            assertThat(next.connectionsAccepted()).isEqualTo(1);
        }
    }

    @Test
    void otherPoolSettingsGiveTheCandidateAPoolOfItsOwn() throws Exception {
        PoolConfig other = PoolConfig.DEFAULT.withReclaim(Duration.ofSeconds(7));
        try (Running gateway = to(upstream(old)).start();
                RawClient client = gateway.client()) {
            stable(client);
            introduce(gateway, upstream(old).withPool(other));
            canary(client);
            canary(client);
            assertThat(old.connectionsAccepted()).isEqualTo(2);
            gateway.gateway().withdraw();
            old.awaitOpenConnections(1);
            assertThat(canary(client).body()).isEqualTo("old");
            assertThat(old.connectionsAccepted()).isEqualTo(2);
        }
    }

    // ---- breakers

    private static UpstreamResilience breaker(int minimum) {
        BreakerConfig breaker =
                new BreakerConfig(new Percent(50), Duration.ofSeconds(10), minimum, Duration.ofMinutes(1), false);
        return new UpstreamResilience(RetryBudgetConfig.DEFAULT, breaker, null, null);
    }

    @Test
    void aBreakerWithOtherSettingsIsTheCandidatesOwn() throws Exception {
        try (Running gateway = to(upstream(old).withResilience(breaker(1000))).start();
                RawClient client = gateway.client()) {
            introduce(gateway, upstream(old).withResilience(breaker(2)));
            assertThat(bad(client, CANARY).status()).isEqualTo(BAD);
            assertThat(bad(client, CANARY).status()).isEqualTo(BAD);
            assertThat(canary(client).status()).isEqualTo(503);
            assertThat(stable(client).status()).isEqualTo(200);
        }
    }

    @Test
    void bothShareABreakerWithTheSameSettings() throws Exception {
        try (Running gateway = to(upstream(old).withResilience(breaker(2))).start();
                RawClient client = gateway.client()) {
            introduce(gateway, upstream(old).withResilience(breaker(2)));
            assertThat(bad(client, CANARY).status()).isEqualTo(BAD);
            assertThat(bad(client, "").status()).isEqualTo(BAD);
            assertThat(canary(client).status()).isEqualTo(503);
            assertThat(stable(client).status()).isEqualTo(503);
        }
    }

    @Test
    void bothShareBreakersAgainAfterTheStableGenerationWasReplaced() throws Exception {
        try (Running gateway = to(upstream(old).withResilience(breaker(7))).start()) {
            introduce(gateway, upstream(old).withResilience(breaker(2)));
            assertThat(candidateOrigin(gateway).protection().breakers())
                    .isNotEqualTo(stableOrigin(gateway).protection().breakers());
            gateway.gateway().apply(to(upstream(old).withResilience(breaker(2))).config());
            assertThat(candidateOrigin(gateway).protection().breakers())
                    .isEqualTo(stableOrigin(gateway).protection().breakers());
        }
    }

    // ---- health

    private static HealthConfig checked() {
        return new HealthConfig(
                new ActiveHealthConfig(
                        "/health",
                        null,
                        0,
                        Duration.ofMillis(100),
                        new Percent(0),
                        Duration.ofSeconds(5),
                        1,
                        1,
                        Set.of(200),
                        null),
                null);
    }

    @Test
    void healthChecksOfTheCandidateCoverOnlyEndpointsThatTheStableGenerationLacks() throws Exception {
        try (Running gateway = to(upstream(old)).start();
                RawClient client = gateway.client()) {
            introduce(gateway, upstream(old, next).withHealth(checked()));
            eventually(() -> assertThat(
                            candidateOrigin(gateway).state().of(address(next)).health())
                    .isEqualTo(Health.UNHEALTHY));
            assertThat(stableOrigin(gateway).state().of(address(old)).health()).isEqualTo(Health.UNKNOWN);
            assertThat(old.requestsSeen()).isZero();
            assertThat(canary(client).body()).isEqualTo("old");

            gateway.gateway().promote();
            eventually(() -> assertThat(
                            stableOrigin(gateway).state().of(address(old)).health())
                    .isEqualTo(Health.UNHEALTHY));
        }
    }

    @Test
    void healthChecksOfTheStableGenerationGoOnWhateverTheCandidateSays() throws Exception {
        try (Running gateway = to(upstream(old).withHealth(checked())).start()) {
            eventually(() -> assertThat(old.requestsSeen()).isPositive());
            introduce(gateway, upstream(old));
            int seen = old.requestsSeen();
            eventually(() -> assertThat(old.requestsSeen()).isGreaterThan(seen + 2));
            gateway.gateway().withdraw();
            int then = old.requestsSeen();
            eventually(() -> assertThat(old.requestsSeen()).isGreaterThan(then + 2));
        }
    }

    // ---- names

    private static UpstreamConfig named(ScriptedDns dns, String name, int port) {
        return UpstreamConfig.of("origin", new EndpointConfig(name, port))
                .withDns(new DnsConfig(
                        List.of(new EndpointAddress("127.0.0.1", dns.address().getPort())),
                        AddressFamily.EITHER,
                        Duration.ofMillis(100),
                        Duration.ofMinutes(1),
                        Duration.ofSeconds(5)));
    }

    private static List<String> hosts(Upstream upstream) {
        return upstream.endpoints().stream()
                .map(Endpoint::address)
                .map(EndpointAddress::host)
                .toList();
    }

    @Test
    void bothFollowChangedAddressesOfTheirNames() throws Exception {
        try (ScriptedDns dns = ScriptedDns.start();
                ScriptedOrigin other = ScriptedOrigin.answeringAt(
                        new InetSocketAddress("127.0.0.2", old.port()), (r, c) -> c.send(Responses.ok("other")))) {
            dns.host("stable.test", 0, "127.0.0.1");
            dns.host("next.test", 0, "127.0.0.1");
            try (Running gateway = to(named(dns, "stable.test", other.port())).start();
                    RawClient client = gateway.client()) {
                introduce(gateway, named(dns, "next.test", other.port()));
                long number = requireNonNull(gateway.gateway().candidate()).number();
                assertThat(canary(client).body()).isEqualTo("old");

                dns.host("next.test", 0, "127.0.0.2");
                eventually(() -> assertThat(hosts(candidateOrigin(gateway))).containsExactly("127.0.0.2"));
                assertThat(hosts(stableOrigin(gateway))).containsExactly("127.0.0.1");
                assertThat(canary(client).body()).isEqualTo("other");
                assertThat(stable(client).body()).isEqualTo("old");

                dns.host("stable.test", 0, "127.0.0.2");
                eventually(() -> assertThat(stable(client).body()).isEqualTo("other"));
                assertThat(requireNonNull(gateway.gateway().candidate()).number())
                        .isEqualTo(number);

                gateway.gateway().withdraw();
                assertThat(gateway.gateway().nameStatuses()).hasSize(1);
                assertThat(canary(client).body()).isEqualTo("other");
            }
        }
    }
}
