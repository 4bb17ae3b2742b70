package dev.lychgate.server.discovery;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.EndpointReadiness;
import dev.lychgate.config.EurekaConfig;
import dev.lychgate.config.RegistryConfig;
import dev.lychgate.config.SourceConfig;
import dev.lychgate.server.terminal.JsonValue;
import dev.lychgate.upstream.FoundEndpoint;
import dev.lychgate.upstream.SourceQuestion;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Applications of Eureka, with a server that speaks its REST protocol. */
@Tag("slow")
class EurekaSourceTest {
    private final Reported reported = new Reported();
    private volatile String whole = apps("");
    private volatile String delta = apps("");
    private volatile int deltaStatus = 200;
    private final List<String> agents = new CopyOnWriteArrayList<>();

    @SuppressWarnings("NullAway.Init") // start() creates them
    private ScriptedRegistry server;

    @SuppressWarnings("NullAway.Init")
    private EurekaSource source;

    @BeforeEach
    void start() throws Exception {
        server = new ScriptedRegistry(call -> {
            agents.add(String.valueOf(call.header("Accept")));
            if (call.target().endsWith("/delta")) {
                call.send(deltaStatus, delta);
            } else {
                call.send(200, whole);
            }
        });
        URI url = server.url().resolve("/eureka/");
        source = new EurekaSource("eureka", new EurekaConfig(RegistryConfig.of(url), Duration.ofSeconds(1)));
    }

    @AfterEach
    void close() {
        source.close();
        server.close();
    }

    private void watch(String application, Reported to) {
        EurekaConfig settings = new EurekaConfig(RegistryConfig.of(server.url()), Duration.ofSeconds(1));
        source.watch(new SourceQuestion("eureka", SourceConfig.of(settings), application, ""), to);
    }

    private static String instance(String id, String status, String action) {
        return """
            { "instanceId": "%s", "app": "API", "ipAddr": "10.0.0.%s", "status": "%s", "actionType": "%s",
              "port": { "$": 8080, "@enabled": "true" }, "securePort": { "$": 8443, "@enabled": "false" } }""".formatted(id, id, status, action);
    }

    private static String apps(String code, String... instances) {
        return """
            { "applications": { "versions__delta": "1", "apps__hashcode": "%s",
              "application": [{ "name": "API", "instance": [%s] }] } }""".formatted(code, String.join(",", instances));
    }

    private long read(String path) {
        return server.requests().stream().filter(path::equals).count();
    }

    @Test
    void readsTheWholeRegistryAndThenItsChanges() throws Exception {
        whole = apps("UP_2_", instance("1", "UP", "ADDED"), instance("2", "UP", "ADDED"));
        delta = apps("UP_2_");
        watch("api", reported);
        reported.await("10.0.0.1:8080", "10.0.0.2:8080");

        delta = apps(
                "OUT_OF_SERVICE_1_UP_1_",
                instance("3", "UP", "ADDED"),
                instance("1", "OUT_OF_SERVICE", "MODIFIED"),
                instance("2", "UP", "DELETED"));

        reported.await("10.0.0.1:8080 draining", "10.0.0.3:8080");
        assertThat(read("/eureka/apps")).isEqualTo(1);
        assertThat(agents).allMatch("application/json"::equals);
    }

    @Test
    void readsTheWholeRegistryAgainIfTheHashCodeDiffers() throws Exception {
        whole = apps("UP_1_", instance("1", "UP", "ADDED"));
        delta = apps("UP_1_");
        watch("api", reported);
        reported.await("10.0.0.1:8080");
        whole = apps("UP_2_", instance("1", "UP", "ADDED"), instance("5", "UP", "ADDED"));

        delta = apps("UP_2_");

        reported.await("10.0.0.1:8080", "10.0.0.5:8080");
        assertThat(read("/eureka/apps")).isGreaterThan(1);
        assertThat(reported.failures()).isEmpty();
    }

    @Test
    void readsTheWholeRegistryAtEachIntervalIfTheServerOffersNoChanges() throws Exception {
        deltaStatus = 403;
        whole = apps("UP_1_", instance("1", "UP", "ADDED"));
        watch("api", reported);
        reported.await("10.0.0.1:8080");
        whole = apps("UP_1_", instance("2", "UP", "ADDED"));

        reported.await("10.0.0.2:8080");
        assertThat(reported.failures()).isEmpty();
    }

    @Test
    void reportsAnEmptySetAfterTheServerHasLostItsState() throws Exception {
        whole = apps("UP_1_", instance("1", "UP", "ADDED"));
        delta = apps("UP_1_");
        watch("api", reported);
        reported.await("10.0.0.1:8080");

        delta = apps("");
        whole = "{ \"applications\": { \"versions__delta\": \"1\", \"apps__hashcode\": \"\", \"application\": [] } }";

        reported.await();
    }

    @Test
    void continuesAfterFailures() throws Exception {
        whole = "{}";
        watch("api", reported);
        reported.awaitFailure("the response has no applications");
        whole = apps("UP_1_", instance("1", "UP", "ADDED"));
        reported.await("10.0.0.1:8080");
        deltaStatus = 503;
        reported.awaitFailure("/eureka/: status 503");
        deltaStatus = 200;
        whole = apps("UP_1_", instance("2", "UP", "ADDED"));

        reported.await("10.0.0.2:8080");
    }

    @Test
    void severalWatchesShareOneCopy() throws Exception {
        whole = apps("UP_1_", instance("1", "UP", "ADDED"));
        delta = apps("UP_1_");
        watch("api", reported);
        Reported other = new Reported();
        watch("web", other);
        reported.await("10.0.0.1:8080");
        other.await();
        assertThat(read("/eureka/apps")).isEqualTo(1);
    }

    @Test
    void readsFiveThousandInstances() throws Exception {
        whole = apps(
                "UP_5000_",
                IntStream.range(0, 5000)
                        .mapToObj(i -> instance(Integer.toString(i), "UP", "ADDED")
                                .replace("\"10.0.0." + i, "\"10.0." + i / 256 + "." + i % 256))
                        .toArray(String[]::new));
        delta = apps("UP_5000_");
        watch("api", reported);
        eventually(() -> assertThat(reported.sets()).isGreaterThan(1));
        assertThat(reported.last()).hasSize(5000);
        assertThat(read("/eureka/apps")).isEqualTo(1);
    }

    @Test
    void readsPortsZonesAndMetadata() throws Exception {
        EurekaRegistry registry = EurekaRegistry.of(JsonValue.of("""
            { "applications": { "apps__hashcode": "DOWN_1_UP_3_", "application": {
              "name": "API", "instance": [
                { "instanceId": "a", "app": "API", "ipAddr": "10.0.0.1", "status": "UP",
                  "port": { "$": "8080", "@enabled": "false" }, "securePort": { "$": "8443", "@enabled": "true" },
                  "metadata": { "zone": "eu-1", "version": "v2", "@class": "java.util.HashMap" } },
                { "app": "API", "hostName": "b.test", "status": "UP",
                  "port": { "$": 8080, "@enabled": "true" }, "securePort": { "$": 8443, "@enabled": "true" },
                  "dataCenterInfo": { "metadata": { "availability-zone": "us-east-1c" } } },
                { "instanceId": "c", "app": "API", "ipAddr": "10.0.0.3", "status": "DOWN" },
                { "instanceId": "d", "app": "API", "ipAddr": "10.0.0.4", "status": "UP" }
              ] } } }"""));

        assertThat(registry.endpoints("api", ""))
                .containsExactly(
                        FoundEndpoint.of(
                                "10.0.0.1",
                                8443,
                                1,
                                "eu-1",
                                0,
                                EndpointReadiness.READY,
                                Map.of("zone", "eu-1", "version", "v2")),
                        FoundEndpoint.of("b.test", 8080, 1, "us-east-1c", 0, EndpointReadiness.READY, Map.of()));
        assertThat(registry.endpoints("Api", "secure").stream()
                        .map(FoundEndpoint::port)
                        .collect(Collectors.toList()))
                .containsExactly(8443, 8443);
        assertThat(registry.endpoints("other", "")).isEmpty();
    }
}
