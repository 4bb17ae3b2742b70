package dev.lychgate.gateway;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.Algorithm;
import dev.lychgate.config.BalanceConfig;
import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.HashSource;
import dev.lychgate.config.RouteAction;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.upstream.EndpointState.AdminState;
import dev.lychgate.upstream.EndpointState.Health;
import dev.lychgate.upstream.Upstream;
import dev.lychgate.upstream.UpstreamState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Requests over real sockets, balanced between several origins that respond with their number. */
@Tag("slow")
class BalancedTrafficTest {
    private final List<ScriptedOrigin> origins = new ArrayList<>();

    private EndpointConfig origin(int weight, Map<String, String> metadata) {
        String name = Integer.toString(origins.size());
        ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok(name)));
        origins.add(origin);
        return new EndpointConfig(new EndpointAddress("127.0.0.1", origin.port()), weight, "", 0, metadata);
    }

    private EndpointConfig origin() {
        return origin(1, Map.of());
    }

    private EndpointAddress address(int number) {
        return new EndpointAddress("127.0.0.1", origins.get(number).port());
    }

    @AfterEach
    void close() {
        origins.forEach(ScriptedOrigin::close);
    }

    private static Map<String, Integer> answers(RawClient client, int requests, String path) throws IOException {
        Map<String, Integer> answers = new HashMap<>();
        for (int i = 0; i < requests; i++) {
            answers.merge(client.get(path).body(), 1, Integer::sum);
        }
        return answers;
    }

    private static UpstreamState state(Running gateway) {
        Upstream upstream = gateway.gateway().generation().upstream("origin");
        assertThat(upstream).isNotNull();
        return upstream.state();
    }

    @Test
    void byDefaultAnOriginThatHoldsRequestsGetsFewerOfThem() throws Exception {
        Gate gate = new Gate();
        ScriptedOrigin stalled =
                ScriptedOrigin.answering((r, c) -> c.stallUntil(gate).send(Responses.ok("stalled")));
        origins.add(stalled);
        EndpointConfig slow = new EndpointConfig("127.0.0.1", stalled.port());
        try (Running gateway = new Setup()
                .upstream("origin", BalanceConfig.DEFAULT, slow, origin())
                .start()) {
            ScriptedOrigin quick = origins.get(1);
            List<RawClient> clients = new ArrayList<>();
            while (stalled.requestsSeen() == 0) {
                RawClient client = gateway.client();
                clients.add(client);
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                eventually(() -> assertThat(stalled.requestsSeen() + quick.requestsSeen())
                        .isEqualTo(clients.size()));
                if (stalled.requestsSeen() == 0) {
                    client.readResponse();
                }
            }
            try (RawClient client = gateway.client()) {
                // Both of two endpoints are always compared, and one of them has more running requests.
                assertThat(answers(client, 50, "/")).containsExactly(Map.entry("1", 50));
            }
            assertThat(stalled.requestsSeen()).isEqualTo(1);
            gate.open();
            assertThat(clients.get(clients.size() - 1).readResponse().body()).isEqualTo("stalled");
            clients.forEach(RawClient::close);
        }
    }

    @Test
    void everyLoopFollowsTheWeights() throws Exception {
        try (Running gateway = new Setup()
                        .workers(2)
                        .upstream(
                                "origin",
                                BalanceConfig.of(Algorithm.ROUND_ROBIN),
                                origin(3, Map.of()),
                                origin(1, Map.of()))
                        .start();
                RawClient one = gateway.client();
                RawClient other = gateway.client()) {
            assertThat(answers(one, 40, "/")).isEqualTo(Map.of("0", 30, "1", 10));
            assertThat(answers(other, 40, "/")).isEqualTo(Map.of("0", 30, "1", 10));
        }
    }

    @Test
    void aKeyStaysWithItsOriginOverLoopsAndGenerations() throws Exception {
        Setup setup = new Setup()
                .workers(2)
                .upstream(
                        "origin",
                        BalanceConfig.hashing(new HashSource.Query("user")),
                        origin(),
                        origin(),
                        origin(),
                        origin());
        try (Running gateway = setup.start();
                RawClient one = gateway.client();
                RawClient other = gateway.client()) {
            Map<String, String> owners = new HashMap<>();
            for (int user = 0; user < 50; user++) {
                String path = "/?user=" + user;
                owners.put(path, one.get(path).body());
                assertThat(other.get(path).body()).isEqualTo(owners.get(path));
            }
            assertThat(owners.values()).contains("0", "1", "2", "3");
            gateway.gateway().apply(setup.config());
            for (Map.Entry<String, String> owner : owners.entrySet()) {
                assertThat(one.get(owner.getKey()).body()).isEqualTo(owner.getValue());
            }
        }
    }

    @Test
    void aRouteReachesOnlyItsSubset() throws Exception {
        try (Running gateway = new Setup()
                        .upstream(
                                "origin",
                                BalanceConfig.of(Algorithm.RANDOM),
                                origin(1, Map.of("version", "v1")),
                                origin(1, Map.of("version", "v2")),
                                origin(1, Map.of("version", "v2")))
                        .route("next", "/next", new RouteAction.Proxy("origin", Map.of("version", "v2")))
                        .route("all", "/all", new RouteAction.Proxy("origin"))
                        .start();
                RawClient client = gateway.client()) {
            assertThat(answers(client, 60, "/next")).containsOnlyKeys("1", "2");
            assertThat(answers(client, 60, "/all")).containsOnlyKeys("0", "1", "2");
        }
    }

    @Test
    void theStateOfAnEndpointTakesEffectAtOnceAndOutlivesAReload() throws Exception {
        Setup setup =
                new Setup().upstream("origin", BalanceConfig.of(Algorithm.ROUND_ROBIN), origin(), origin(), origin());
        try (Running gateway = setup.start();
                RawClient client = gateway.client()) {
            assertThat(answers(client, 9, "/")).isEqualTo(Map.of("0", 3, "1", 3, "2", 3));
            state(gateway).health(address(0), Health.UNHEALTHY);
            state(gateway).admin(address(1), AdminState.DRAINING);
            assertThat(answers(client, 5, "/")).isEqualTo(Map.of("2", 5));
            gateway.gateway().apply(setup.config());
            assertThat(answers(client, 5, "/")).isEqualTo(Map.of("2", 5));
            state(gateway).admin(address(2), AdminState.DISABLED);
            state(gateway).health(address(0), Health.HEALTHY);
            assertThat(answers(client, 5, "/")).isEqualTo(Map.of("0", 5));
        }
    }

    @Test
    void withEveryEndpointTakenOutThereIsNone() throws Exception {
        try (Running gateway = new Setup()
                        .upstream("origin", BalanceConfig.DEFAULT, origin())
                        .start();
                RawClient client = gateway.client()) {
            state(gateway).admin(address(0), AdminState.DISABLED);
            assertThat(client.get("/").status()).isEqualTo(503);
        }
    }

    @Test
    void anotherWeightDoesNotCutConnections() throws Exception {
        EndpointConfig endpoint = origin();
        try (Running gateway = new Setup()
                        .upstream("origin", BalanceConfig.DEFAULT, endpoint)
                        .start();
                RawClient client = gateway.client()) {
            client.get("/");
            gateway.gateway()
                    .apply(new Setup()
                            .upstream("origin", BalanceConfig.DEFAULT, endpoint.withWeight(7))
                            .config());
            client.get("/");
            assertThat(origins.get(0).connectionsAccepted()).isEqualTo(1);
        }
    }

    @Test
    void changesOfEndpointsUnderTrafficDoNotAffectClients() throws Exception {
        EndpointConfig kept = origin();
        EndpointConfig other = origin();
        try (Running gateway = new Setup()
                        .upstream("origin", BalanceConfig.DEFAULT, kept, other)
                        .start();
                RawClient client = gateway.client()) {
            for (int i = 0; i < 40; i++) {
                Setup next = i % 2 == 0
                        ? new Setup().upstream("origin", BalanceConfig.DEFAULT, kept)
                        : new Setup().upstream("origin", BalanceConfig.DEFAULT, kept, other.withWeight(1 + i));
                gateway.gateway().apply(next.config());
                assertThat(client.get("/").status()).isEqualTo(200);
                assertThat(client.get("/").status()).isEqualTo(200);
            }
        }
    }
}
