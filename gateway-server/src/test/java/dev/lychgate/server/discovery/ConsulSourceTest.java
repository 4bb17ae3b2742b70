package dev.lychgate.server.discovery;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.ConsulConfig;
import dev.lychgate.config.EndpointReadiness;
import dev.lychgate.config.RegistryConfig;
import dev.lychgate.config.SourceConfig;
import dev.lychgate.server.terminal.JsonValue;
import dev.lychgate.upstream.FoundEndpoint;
import dev.lychgate.upstream.SourceQuestion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Services of Consul, with a server that speaks the protocol of blocking queries. */
@Tag("slow")
class ConsulSourceTest {
    private static final String TOKEN = "7b0d6c1e-token";

    private final Object lock = new Object();
    private final List<Integer> ports = new ArrayList<>();
    private long index = 10;

    @SuppressWarnings("NullAway.Init") // start() creates them
    private ScriptedRegistry registry;

    @SuppressWarnings("NullAway.Init")
    private ConsulSource source;

    private final Reported reported = new Reported();

    @BeforeEach
    void start() throws Exception {
        registry = new ScriptedRegistry(this::respond);
        source = source(TOKEN);
    }

    @AfterEach
    void close() {
        source.close();
        registry.close();
    }

    private ConsulSource source(String token) {
        return new ConsulSource(
                "consul",
                ConsulConfig.of(RegistryConfig.of(registry.url()))
                        .withToken(token)
                        .withHold(Duration.ofSeconds(1)));
    }

    private void watch() {
        SourceConfig settings = SourceConfig.of(ConsulConfig.of(RegistryConfig.of(registry.url())));
        source.watch(new SourceQuestion("consul", settings, "api", ""), reported);
    }

    /** Responds like Consul: at once, or as soon as the index exceeds the one of the request. */
    private void respond(ScriptedRegistry.Call call) throws Exception {
        if (!TOKEN.equals(call.header("X-Consul-Token"))) {
            call.send(403, "ACL not found");
            return;
        }
        @Nullable String known = call.parameter("index");
        String body;
        long now;
        synchronized (lock) {
            if (known != null) {
                long deadline = System.nanoTime() + Duration.ofSeconds(1).toNanos();
                while (index == Long.parseLong(known) && System.nanoTime() < deadline) {
                    lock.wait(50);
                }
            }
            now = index;
            body = ports.stream().map(ConsulSourceTest::instance).collect(Collectors.joining(",", "[", "]"));
        }
        call.send(200, body, "X-Consul-Index", Long.toString(now));
    }

    private void become(long to, Integer... instances) {
        synchronized (lock) {
            index = to;
            ports.clear();
            ports.addAll(List.of(instances));
            lock.notifyAll();
        }
    }

    /** Returns the requests without repetitions. A query is repeated if nothing changes for a second. */
    private List<String> steps() {
        List<String> steps = new ArrayList<>();
        for (String request : registry.requests()) {
            if (steps.isEmpty() || !steps.get(steps.size() - 1).equals(request)) {
                steps.add(request);
            }
        }
        return steps;
    }

    private static String instance(int port) {
        return """
            { "Node": { "Address": "10.0.0.1" }, "Service": { "Address": "", "Port": %d },
              "Checks": [{ "CheckID": "serfHealth", "Status": "passing" }] }""".formatted(port);
    }

    @Test
    void reportsChangesOfAServiceByBlockingQueries() throws Exception {
        become(10, 1, 2);
        watch();
        reported.await("10.0.0.1:1", "10.0.0.1:2");

        become(11, 2, 3);
        reported.await("10.0.0.1:2", "10.0.0.1:3");

        become(12);
        reported.await();
        assertThat(steps())
                .startsWith(
                        "/v1/health/service/api",
                        "/v1/health/service/api?index=10&wait=1000ms",
                        "/v1/health/service/api?index=11&wait=1000ms");
    }

    @Test
    void confirmsTheSetWhenTheWaitEnds() throws Exception {
        become(10, 1);
        watch();
        eventually(() -> assertThat(reported.confirmations()).isPositive());
        assertThat(reported.sets()).isEqualTo(1);
    }

    @Test
    void readsAgainWithoutBlockingAfterTheIndexHasFallen() throws Exception {
        become(1000, 1);
        watch();
        reported.await("10.0.0.1:1");

        become(7, 5);
        reported.await("10.0.0.1:5");
        eventually(() -> assertThat(registry.requests()).endsWith("/v1/health/service/api?index=7&wait=1000ms"));
        become(8, 6);

        reported.await("10.0.0.1:6");
        assertThat(steps().subList(1, 4))
                .containsExactly(
                        "/v1/health/service/api?index=1000&wait=1000ms",
                        "/v1/health/service/api",
                        "/v1/health/service/api?index=7&wait=1000ms");
    }

    @Test
    void doesNotBlockWithoutAnIndexGreaterThanZero() throws Exception {
        registry.script(call -> call.send(200, "[" + instance(1) + "]", "X-Consul-Index", "0"));
        watch();
        eventually(() -> assertThat(reported.sets()).isGreaterThan(1));
        assertThat(registry.requests()).allMatch("/v1/health/service/api"::equals);
    }

    @Test
    void continuesAfterFailuresOfTheServer() throws Exception {
        registry.script(call -> call.send(500, "No cluster leader"));
        watch();
        reported.awaitFailure(registry.url() + ": status 500");
        registry.script(call -> call.send(200, "[", "X-Consul-Index", "1"));
        reported.awaitFailure(": the response is not JSON");
        registry.script(call -> call.send(200, "{}", "X-Consul-Index", "1"));
        reported.awaitFailure("the response is not a list of instances");
        registry.script(call -> call.exchange().close());
        reported.awaitFailure(": the connection failed");
        become(10, 1);
        registry.script(this::respond);

        reported.await("10.0.0.1:1");
    }

    @Test
    void reportsARefusedTokenWithoutItsText() throws Exception {
        source.close();
        source = source("another-token");
        watch();
        reported.awaitFailure(": status 403");
        assertThat(reported.failures().toString()).doesNotContain("another-token");
    }

    @Test
    void endsTheQueryWithTheWatch() throws Exception {
        become(10, 1);
        SourceConfig settings = SourceConfig.of(ConsulConfig.of(RegistryConfig.of(registry.url())));
        var watch = source.watch(new SourceQuestion("consul", settings, "api", ""), reported);
        reported.await("10.0.0.1:1");
        watch.close();
        become(11, 2);
        int requests = registry.requests().size();

        become(12, 3);

        assertThat(registry.requests()).hasSizeLessThanOrEqualTo(requests + 1);
        assertThat(reported.last()).hasSize(1);
    }

    @Test
    void readsFiveThousandInstances() throws Exception {
        become(10, IntStream.rangeClosed(1, 5000).boxed().toArray(Integer[]::new));
        watch();
        eventually(() -> assertThat(reported.sets()).isPositive());
        assertThat(reported.last()).hasSize(5000);
    }

    @Test
    void readsTheChecksWeightsZonesAndTagsOfInstances() throws Exception {
        String critical = "[{ \"CheckID\": \"service:api\", \"Status\": \"critical\" }]";
        String maintenance = "[{ \"CheckID\": \"_service_maintenance:api-1\", \"Status\": \"critical\" }]";
        String warning = "[{ \"CheckID\": \"service:api\", \"Status\": \"warning\" }]";
        String service = "\"Weights\": { \"Passing\": 10, \"Warning\": 2 }, \"Tags\": [\"canary\", \"version=v2\"], "
                + "\"Meta\": { \"zone\": \"eu-1\" }";
        JsonValue json = JsonValue.of("""
            [
              { "Node": { "Address": "10.0.0.1" }, "Service": { "Address": "10.1.0.1", "Port": 80, %1$s }, "Checks": [] },
              { "Node": { "Address": "10.0.0.2" }, "Service": { "Port": 80, %1$s }, "Checks": %4$s },
              { "Node": { "Address": "10.0.0.3" }, "Service": { "Port": 80 }, "Checks": %2$s },
              { "Node": { "Address": "10.0.0.4", "Meta": { "zone": "eu-2" } }, "Service": { "Port": 80 }, "Checks": %3$s },
              { "Node": { "Address": "10.0.0.5" }, "Service": { "Port": 0 }, "Checks": [] },
              { "Node": { "Address": "10.0.0.6" }, "Service": { "Address": "/run/api.sock", "Port": 80 }, "Checks": [] }
            ]""".formatted(service, critical, maintenance, warning));
        Map<String, String> metadata = Map.of("canary", "true", "version", "v2", "zone", "eu-1");

        assertThat(ConsulEndpoints.read(json))
                .containsExactly(
                        FoundEndpoint.of("10.1.0.1", 80, 10, "eu-1", 0, EndpointReadiness.READY, metadata),
                        FoundEndpoint.of("10.0.0.2", 80, 2, "eu-1", 0, EndpointReadiness.READY, metadata),
                        FoundEndpoint.of("10.0.0.4", 80, 1, "eu-2", 0, EndpointReadiness.DRAINING, Map.of()));
    }
}
