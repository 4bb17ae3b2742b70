package dev.lychgate.server.discovery;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.EndpointReadiness;
import dev.lychgate.config.KubernetesConfig;
import dev.lychgate.config.RegistryConfig;
import dev.lychgate.config.SourceConfig;
import dev.lychgate.server.terminal.JsonValue;
import dev.lychgate.upstream.FoundEndpoint;
import dev.lychgate.upstream.SourceQuestion;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** EndpointSlices of Kubernetes, with a server that speaks the protocol of lists and watches. */
@Tag("slow")
class KubernetesSourceTest {
    private static final String LIST =
            "/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices?labelSelector=kubernetes.io%2Fservice-name%3Dapi";
    private static final String END = "end";

    @TempDir
    Path home = Path.of("");

    /** The responses to lists, each of which is used once, except for the last one. */
    private final BlockingQueue<String> lists = new LinkedBlockingQueue<>();
    /** The lines of the watches. */
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

    private final List<String> tokens = new CopyOnWriteArrayList<>();
    private final Reported reported = new Reported();

    @SuppressWarnings("NullAway.Init") // start() creates them
    private ScriptedRegistry server;

    @SuppressWarnings("NullAway.Init")
    private KubernetesSource source;

    @BeforeEach
    void start() throws Exception {
        server = new ScriptedRegistry(this::respond);
        Files.writeString(home.resolve("token"), "first\n");
        source = new KubernetesSource(
                "cluster", new KubernetesAccess(RegistryConfig.of(server.url()), "shop", home.resolve("token")));
    }

    @AfterEach
    void close() {
        source.close();
        server.close();
    }

    private void watch(String port) {
        SourceConfig settings = SourceConfig.of(new KubernetesConfig(null, "", null));
        source.watch(new SourceQuestion("cluster", settings, "api", port), reported);
    }

    private void respond(ScriptedRegistry.Call call) throws Exception {
        tokens.add(String.valueOf(call.header("Authorization")));
        if (call.parameter("watch") == null) {
            call.send(200, lists.size() > 1 ? lists.take() : String.valueOf(lists.peek()));
            return;
        }
        try (OutputStream out = call.stream()) {
            for (String line = events.take(); !line.equals(END); line = events.take()) {
                out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
                out.flush();
            }
        }
    }

    private static String slice(String name, String version, String... addresses) {
        String endpoints = List.of(addresses).stream()
                .map(address -> "{ \"addresses\": [\"" + address + "\"], \"conditions\": { \"ready\": true } }")
                .collect(Collectors.joining(","));
        return sliceOf(name, version, "[" + endpoints + "]", "[{ \"name\": \"http\", \"port\": 80 }]");
    }

    private static String sliceOf(String name, String version, String endpoints, String ports) {
        return "{ \"metadata\": { \"name\": \"" + name + "\", \"resourceVersion\": \"" + version
                + "\" }, \"endpoints\": " + endpoints + ", \"ports\": " + ports + " }";
    }

    private static String list(String version, String next, String... slices) {
        return "{ \"metadata\": { \"resourceVersion\": \"" + version + "\", \"continue\": \"" + next
                + "\" }, \"items\": [" + String.join(",", slices) + "] }";
    }

    private static String event(String type, String object) {
        return "{ \"type\": \"" + type + "\", \"object\": " + object.replace("\n", " ") + " }";
    }

    private static String versionOf(String target) {
        return target.replaceFirst(".*resourceVersion=", "");
    }

    /** Returns the versions at which watches began. */
    private List<String> watches() {
        return server.requests().stream()
                .filter(each -> each.contains("watch=1"))
                .map(KubernetesSourceTest::versionOf)
                .toList();
    }

    private long listed() {
        return server.requests().stream()
                .filter(each -> !each.contains("watch=1"))
                .count();
    }

    @Test
    void followsTheEventsOfAWatch() throws Exception {
        lists.add(list("10", "", slice("api-a", "9", "10.0.0.1"), slice("api-b", "8", "10.0.0.2")));
        watch("");
        reported.await("10.0.0.1:80", "10.0.0.2:80");

        events.add(event("ADDED", slice("api-c", "11", "10.0.0.3")));
        events.add(event("MODIFIED", slice("api-a", "12", "10.0.0.1", "10.0.0.4")));
        events.add(event("DELETED", slice("api-b", "13", "10.0.0.2")));

        reported.await("10.0.0.1:80", "10.0.0.4:80", "10.0.0.3:80");
        assertThat(server.requests())
                .containsExactly(
                        LIST + "&limit=500",
                        LIST + "&watch=1&allowWatchBookmarks=true&timeoutSeconds=240&resourceVersion=10");
    }

    @Test
    void continuesAWatchThatEndsAtTheVersionOfTheLastBookmark() throws Exception {
        lists.add(list("10", "", slice("api-a", "9", "10.0.0.1")));
        watch("");
        reported.await("10.0.0.1:80");
        events.add(event("BOOKMARK", "{ \"metadata\": { \"resourceVersion\": \"77\" } }"));
        eventually(() -> assertThat(reported.confirmations()).isEqualTo(1));

        events.add(END);

        eventually(() -> assertThat(watches()).containsExactly("10", "77"));
        events.add(event("MODIFIED", slice("api-a", "78", "10.0.0.9")));
        reported.await("10.0.0.9:80");
        assertThat(listed()).isEqualTo(1);
    }

    @Test
    void listsAgainAfterAnEventOf410Gone() throws Exception {
        lists.add(list("10", "", slice("api-a", "9", "10.0.0.1")));
        lists.add(list("90", "", slice("api-b", "80", "10.0.0.2")));
        watch("");
        reported.await("10.0.0.1:80");

        events.add(event("ERROR", "{ \"kind\": \"Status\", \"code\": 410, \"reason\": \"Expired\" }"));

        reported.await("10.0.0.2:80");
        eventually(() -> assertThat(watches()).containsExactly("10", "90"));
        assertThat(reported.failures()).isEmpty();
    }

    @Test
    void listsAgainAfterAResponseWith410Gone() throws Exception {
        lists.add(list("10", "", slice("api-a", "9", "10.0.0.1")));
        server.script(call -> {
            if (call.parameter("watch") != null && "10".equals(call.parameter("resourceVersion"))) {
                lists.clear();
                lists.add(list("90", "", slice("api-b", "80", "10.0.0.2")));
                call.send(410, "{}");
            } else {
                respond(call);
            }
        });
        watch("");

        reported.await("10.0.0.2:80");
        assertThat(reported.failures()).isEmpty();
    }

    @Test
    void readsTheTokenForEachRequest() throws Exception {
        lists.add(list("10", "", slice("api-a", "9", "10.0.0.1")));
        watch("");
        reported.await("10.0.0.1:80");
        eventually(() -> assertThat(watches()).hasSize(1));
        Files.writeString(home.resolve("token"), "second\n");

        events.add(END);

        eventually(() -> assertThat(tokens).containsExactly("Bearer first", "Bearer first", "Bearer second"));
    }

    @Test
    void listsAgainAfterARefusedTokenAndAfterAMissingOne() throws Exception {
        lists.add(list("10", "", slice("api-a", "9", "10.0.0.1")));
        server.script(call -> call.send(401, "{}"));
        watch("");
        reported.awaitFailure(": status 401");
        Files.delete(home.resolve("token"));
        reported.awaitFailure("the token cannot be read");
        Files.writeString(home.resolve("token"), "second");
        server.script(this::respond);

        reported.await("10.0.0.1:80");
    }

    @Test
    void readsAllPagesOfAList() throws Exception {
        for (int page = 0; page < 10; page++) {
            int first = 500 * page;
            lists.add(list(
                    "10",
                    page < 9 ? "next/" + page : "",
                    IntStream.range(first, first + 5)
                            .mapToObj(number -> slice(
                                    "api-" + number,
                                    "9",
                                    IntStream.range(0, 100)
                                            .mapToObj(each -> "10." + number % 256 + "." + number / 256 + "." + each)
                                            .toArray(String[]::new)))
                            .toArray(String[]::new)));
        }
        watch("");

        eventually(() -> assertThat(reported.sets()).isPositive());
        assertThat(reported.last()).hasSize(5000);
        assertThat(server.requests().get(1)).isEqualTo(LIST + "&limit=500&continue=next%2F0");
    }

    @Test
    void continuesAfterAConnectionThatBreaks() throws Exception {
        lists.add(list("10", "", slice("api-a", "9", "10.0.0.1")));
        server.script(call -> {
            if (call.parameter("watch") != null) {
                call.exchange().close();
            } else {
                respond(call);
            }
        });
        watch("");
        reported.awaitFailure(": the connection failed");
        server.script(this::respond);
        events.add(event("ADDED", slice("api-b", "11", "10.0.0.2")));

        reported.await("10.0.0.1:80", "10.0.0.2:80");
    }

    @Test
    void readsConditionsZonesHintsAndPods() throws Exception {
        EndpointSlices slices = new EndpointSlices("http");
        slices.put(JsonValue.of(sliceOf("api-a", "9", """
            [
              { "addresses": ["10.0.0.1"], "conditions": { "ready": true }, "zone": "eu-1", "nodeName": "n1",
                "targetRef": { "kind": "Pod", "name": "api-1" }, "hints": { "forZones": [{ "name": "eu-2" }] } },
              { "addresses": ["10.0.0.2"], "conditions": {}, "zone": "eu-1" },
              { "addresses": ["10.0.0.3"], "conditions": { "ready": false, "serving": true, "terminating": true } },
              { "addresses": ["10.0.0.4"], "conditions": { "ready": false, "serving": false, "terminating": true } },
              { "addresses": ["10.0.0.5"], "conditions": { "ready": false, "serving": false } },
              { "addresses": [], "conditions": { "ready": true } }
            ]
            """, """
            [{ "name": "http", "port": 80, "protocol": "TCP" }, { "name": "metrics", "port": 90 }, { "name": "http", "port": 443, "protocol": "UDP" }]
            """)));
        slices.put(JsonValue.of(sliceOf("api-b", "9", "null", "null")));

        assertThat(slices.endpoints())
                .containsExactly(
                        FoundEndpoint.of(
                                "10.0.0.1",
                                80,
                                1,
                                "eu-2",
                                0,
                                EndpointReadiness.READY,
                                Map.of("node", "n1", "pod", "api-1")),
                        FoundEndpoint.of("10.0.0.2", 80, 1, "eu-1", 0, EndpointReadiness.READY, Map.of()),
                        FoundEndpoint.of("10.0.0.3", 80, 1, "", 0, EndpointReadiness.DRAINING, Map.of()));
    }

    @Test
    void namesThePortsIfTheKeyPortIsMissing() throws Exception {
        EndpointSlices slices = new EndpointSlices("");
        slices.put(JsonValue.of(sliceOf(
                "api-a", "9", "[]", "[{ \"name\": \"http\", \"port\": 80 }, { \"name\": \"admin\", \"port\": 90 }]")));
        assertThatThrownBy(slices::endpoints)
                .hasMessage(
                        "the service has the ports http, admin (expected: a single port; the key port selects one)");
    }

    @Test
    void completesTheSettingsInAPod() throws Exception {
        Files.writeString(home.resolve("namespace"), "shop\n");
        Map<String, String> environment =
                Map.of("KUBERNETES_SERVICE_HOST", "10.96.0.1", "KUBERNETES_SERVICE_PORT", "443");

        KubernetesAccess access = KubernetesAccess.of(new KubernetesConfig(null, "", null), home, environment::get);

        assertThat(access.server().url()).hasToString("[https://10.96.0.1:443]");
        assertThat(access.server().ca()).isEqualTo(home.resolve("ca.crt").toString());
        assertThat(access.namespace()).isEqualTo("shop");
        assertThat(access.headers()).containsEntry("authorization", "Bearer first");
        assertThatThrownBy(() -> KubernetesAccess.of(new KubernetesConfig(null, "", null), home, name -> null))
                .isInstanceOf(ConfigException.class)
                .hasMessage("url: missing (expected: the URL of the API server, unless the gateway runs in a pod)");
    }
}
