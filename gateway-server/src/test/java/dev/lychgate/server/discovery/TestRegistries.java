package dev.lychgate.server.discovery;

import dev.lychgate.config.EtcdConfig;
import dev.lychgate.server.etcd.EtcdClient;
import dev.lychgate.server.etcd.EtcdRange;
import dev.lychgate.server.fleet.EtcdCluster;
import dev.lychgate.server.json.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The registries of tests: files, servers with the protocols of Consul, Kubernetes and Eureka, and a real etcd. */
final class TestRegistries {
    private TestRegistries() {}

    private static String json(List<TestRegistry.Instance> instances, Function<TestRegistry.Instance, String> text) {
        return instances.stream().map(text).collect(Collectors.joining(",", "[", "]"));
    }

    /** A file in the form of Prometheus. */
    static final class OfFile implements TestRegistry {
        private final Path directory;

        OfFile(Path home) throws IOException {
            directory = Files.createDirectories(home.resolve("endpoints"));
        }

        @Override
        public String settings() {
            return "file: { directory: endpoints }";
        }

        @Override
        public void become(List<Instance> instances) throws IOException {
            write(json(instances, each -> """
                    { "targets": ["127.0.0.1:%d"], "labels": { "state": "%s" } }""".formatted(each.port(), each.draining() ? "draining" : "ready")));
        }

        private void write(String text) throws IOException {
            Path next = Files.writeString(directory.resolve("next"), text);
            Files.move(next, directory.resolve("api.json"), StandardCopyOption.ATOMIC_MOVE);
        }

        @Override
        public void fail() throws IOException {
            write("[{");
        }

        @Override
        public void close() {}
    }

    /** A registry over HTTP. A request that waits for a change ends when the instances change. */
    abstract static class OfHttp implements TestRegistry {
        private final ScriptedRegistry server;
        private List<Instance> instances = List.of();
        private long version = 1;
        private boolean failing;

        OfHttp() throws IOException {
            server = new ScriptedRegistry(this::respond);
        }

        private void respond(ScriptedRegistry.Call call) throws Exception {
            boolean refuses;
            synchronized (this) {
                refuses = failing;
            }
            if (refuses) {
                call.send(503, "");
            } else {
                serve(call);
            }
        }

        abstract void serve(ScriptedRegistry.Call call) throws Exception;

        /** Waits until the version differs from {@code known}, at most about a second, and returns the version. */
        final synchronized long awaitChange(long known) throws InterruptedException {
            for (int i = 0; i < 20 && version == known; i++) {
                wait(50);
            }
            return version;
        }

        final synchronized long version() {
            return version;
        }

        final synchronized List<Instance> instances() {
            return instances;
        }

        final synchronized boolean failing() {
            return failing;
        }

        final String url() {
            return server.url().toString();
        }

        @Override
        public synchronized void become(List<Instance> others) {
            failing = false;
            instances = List.copyOf(others);
            version = others.isEmpty() ? 1 : version + 1;
            notifyAll();
        }

        @Override
        public synchronized void fail() {
            failing = true;
            version++;
            notifyAll();
        }

        @Override
        public void close() {
            server.close();
        }
    }

    /** Consul with blocking queries. */
    static final class OfConsul extends OfHttp {
        OfConsul() throws IOException {}

        @Override
        public String settings() {
            return "consul: { url: \"" + url() + "\", hold: 1s }";
        }

        @Override
        void serve(ScriptedRegistry.Call call) throws Exception {
            String index = call.parameter("index");
            long now = index == null ? version() : awaitChange(Long.parseLong(index));
            if (failing()) {
                call.send(500, "No cluster leader");
                return;
            }
            call.send(
                    200,
                    json(instances(), each -> """
                    { "Service": { "Address": "127.0.0.1", "Port": %d },
                      "Checks": [{ "CheckID": "_service_maintenance:a", "Status": "%s" }] }""".formatted(each.port(), each.draining() ? "critical" : "passing")),
                    "X-Consul-Index",
                    "" + now);
        }
    }

    /** The API server of Kubernetes with lists and watches. */
    static final class OfKubernetes extends OfHttp {
        OfKubernetes() throws IOException {}

        @Override
        public String settings() {
            return "kubernetes: { url: \"" + url() + "\", namespace: shop }";
        }

        private List<String> slices() {
            return instances().stream()
                    .map(each -> """
                            { "metadata": { "name": "api-%1$d", "resourceVersion": "%2$d" },
                              "endpoints": [{ "addresses": ["127.0.0.1"], "conditions": { "ready": %3$b, "serving": true,
                              "terminating": %4$b } }], "ports": [{ "port": %1$d }] }""".formatted(each.port(), version(), !each.draining(), each.draining()))
                    .toList();
        }

        @Override
        void serve(ScriptedRegistry.Call call) throws Exception {
            if (call.parameter("watch") == null) {
                call.send(
                        200,
                        "{ \"metadata\": { \"resourceVersion\": \"" + version() + "\" }, \"items\": ["
                                + String.join(",", slices()) + "] }");
                return;
            }
            long known = Long.parseLong(String.valueOf(call.parameter("resourceVersion")));
            if (known != version()) {
                call.send(410, "{}");
                return;
            }
            List<Instance> before = instances();
            long now = awaitChange(known);
            try (OutputStream out = call.stream()) {
                if (now < known) {
                    send(out, "ERROR", "{ \"code\": 410 }");
                } else if (now != known && !failing()) {
                    for (String slice : slices()) {
                        send(out, "MODIFIED", slice);
                    }
                    for (Instance gone : before) {
                        if (instances().stream().noneMatch(each -> each.port() == gone.port())) {
                            send(out, "DELETED", """
                                    { "metadata": { "name": "api-%d", "resourceVersion": "%d" } }""".formatted(gone.port(), now));
                        }
                    }
                }
            }
        }

        private static void send(OutputStream out, String type, String object) throws IOException {
            String line = "{ \"type\": \"" + type + "\", \"object\": " + object.replace("\n", " ") + " }\n";
            out.write(line.getBytes(StandardCharsets.UTF_8));
            out.flush();
        }
    }

    /** Eureka, which responds to requests for changes with a hash code and no change, so that each change needs a full read. */
    static final class OfEureka extends OfHttp {
        OfEureka() throws IOException {}

        @Override
        public String settings() {
            return "eureka: { url: \"" + url() + "/eureka\", interval: 1s }";
        }

        @Override
        void serve(ScriptedRegistry.Call call) throws Exception {
            boolean delta = call.target().endsWith("/delta");
            String all =
                    json(instances(), each -> """
                    { "instanceId": "%1$d", "app": "API", "ipAddr": "127.0.0.1", "status": "%2$s",
                      "port": { "$": %1$d, "@enabled": "true" } }""".formatted(each.port(), each.draining() ? "OUT_OF_SERVICE" : "UP"));
            call.send(200, """
                    { "applications": { "apps__hashcode": "%s", "application": [{ "name": "API", "instance": %s }] } }""".formatted("version " + version(), delta ? "[]" : all));
        }
    }

    /** A real etcd. */
    static final class OfEtcd implements TestRegistry {
        private final EtcdCluster etcd;
        private final EtcdClient client;
        private boolean failing;

        OfEtcd() throws Exception {
            etcd = EtcdCluster.start(1);
            client = new EtcdClient(EtcdConfig.of(etcd.endpoints()), "test-etcd");
        }

        @Override
        public String settings() {
            return "etcd: { endpoints: \"" + etcd.endpoints().get(0) + "\", timeout: 500ms }";
        }

        @Override
        public void become(List<Instance> instances) throws Exception {
            if (failing) {
                failing = false;
                etcd.restart(0);
            }
            for (Instance each : instances) {
                String value = "{ \"host\": \"127.0.0.1\", \"port\": " + each.port() + ", \"state\": \""
                        + (each.draining() ? "draining" : "ready") + "\" }";
                call(
                        "/v3/kv/put",
                        new JsonObject().with("key", key(each.port())).with("value", EtcdRange.encoded(value)));
            }
            var known = client.call(
                            "/v3/kv/range",
                            EtcdRange.of("/lychgate/endpoints/api/").json())
                    .get(10, TimeUnit.SECONDS);
            for (var entry : known.json().list("kvs")) {
                String key = entry.get("key").raw();
                if (instances.stream().noneMatch(each -> key(each.port()).equals(key))) {
                    call("/v3/kv/deleterange", new JsonObject().with("key", key));
                }
            }
        }

        private static String key(int port) {
            return EtcdRange.encoded("/lychgate/endpoints/api/" + port);
        }

        private void call(String path, JsonObject body) throws Exception {
            client.call(path, body).get(10, TimeUnit.SECONDS);
        }

        @Override
        public void fail() throws Exception {
            failing = true;
            etcd.signal(0, "KILL");
        }

        @Override
        public void close() throws IOException {
            client.close();
            etcd.close();
        }
    }
}
