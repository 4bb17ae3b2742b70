package dev.lychgate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.server.metrics.MetricsFormat;
import dev.lychgate.server.metrics.PrometheusText;
import dev.lychgate.server.yaml.ConfigReader;
import dev.lychgate.testing.Eventually;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.UnusedPort;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The settings of the process change with a reload: logs, admin listener, recorder, metrics and spans. */
@Tag("slow")
class LiveSettingsTest {
    private static final String BASE = """
            listeners: [{ name: main, address: "127.0.0.1:0" }]
            routes: [{ id: all, respond: { status: 200, body: hello } }]
            """;

    @TempDir
    Path directory = Path.of("");

    private static GatewayConfig config(String more) throws Exception {
        return new ConfigReader(name -> null).read("g.yml", BASE + more).config();
    }

    private static RawClient connect(int port) throws Exception {
        return RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    private static RawMessage get(int port, String target) throws Exception {
        try (RawClient client = connect(port)) {
            return client.send("GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                    .readResponse();
        }
    }

    private static long lines(Path file) throws Exception {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.count();
        }
    }

    private static String metrics(Lychgate gateway) throws Exception {
        ScheduledExecutorService renderer = Executors.newSingleThreadScheduledExecutor();
        try {
            return gateway.metrics().scrape(MetricsFormat.PROMETHEUS, renderer).get(10, TimeUnit.SECONDS);
        } finally {
            renderer.shutdownNow();
        }
    }

    private static double metric(Lychgate gateway, String name) throws Exception {
        return PrometheusText.read(metrics(gateway)).value(name);
    }

    @Test
    void theAccessLogMovesToAnotherFileAndLosesNoLine() throws Exception {
        Path first = directory.resolve("first.log");
        Path second = directory.resolve("second.log");
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger served = new AtomicInteger();
        try (Lychgate gateway = Lychgate.start(config("access-log: { format: json, file: '" + first + "' }\n"))) {
            CompletableFuture<Void> load = CompletableFuture.runAsync(() -> {
                try (RawClient client = connect(gateway.port("main"))) {
                    while (!over.get()) {
                        assertThat(client.get("/").status()).isEqualTo(200);
                        served.incrementAndGet();
                    }
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            for (Path file : List.of(second, first, second)) {
                int before = served.get();
                Eventually.eventually(() -> assertThat(served.get()).isGreaterThan(before + 100));
                gateway.apply(config("access-log: { format: json, file: '" + file + "' }\n"));
            }
            over.set(true);
            load.join();
            Eventually.eventually(() -> assertThat(lines(first) + lines(second)).isEqualTo(served.get()));
            assertThat(lines(first)).isPositive();
            assertThat(lines(second)).isPositive();
            assertThat(metric(gateway, "lychgate_access_log_written_total")).isEqualTo(served.get());
            assertThat(metric(gateway, "lychgate_access_log_dropped_total")).isZero();
        }
    }

    @Test
    void theAccessLogIsSwitchedOnAndOff() throws Exception {
        Path file = directory.resolve("access.log");
        try (Lychgate gateway = Lychgate.start(config("access-log: { format: 'off' }\n"))) {
            get(gateway.port("main"), "/first");
            gateway.apply(config("access-log: { format: json, file: '" + file + "' }\n"));
            get(gateway.port("main"), "/second");
            gateway.apply(config("access-log: { format: 'off' }\n"));
            get(gateway.port("main"), "/third");
            Eventually.eventually(() -> assertThat(file).content().contains("/second"));
            assertThat(file).content().doesNotContain("/first").doesNotContain("/third");
        }
    }

    @Test
    void anAccessLogThatCannotBeOpenedIsRefusedAndTheOldOneContinues() throws Exception {
        Path file = directory.resolve("access.log");
        Path missing = directory;
        try (Lychgate gateway = Lychgate.start(config("access-log: { format: json, file: '" + file + "' }\n"))) {
            assertThatThrownBy(() -> gateway.apply(config("access-log: { format: json, file: '" + missing + "' }\n")))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageStartingWith("access-log: changed (expected: ")
                    .hasMessageContaining(missing.toString());
            get(gateway.port("main"), "/after");
            Eventually.eventually(() -> assertThat(file).content().contains("/after"));
            assertThat(gateway.generation().number()).isEqualTo(1);
        }
    }

    @Test
    void theAdminListenerIsAddedMovedAndRemoved() throws Exception {
        int first = UnusedPort.number();
        try (Lychgate gateway = Lychgate.start(config(""))) {
            assertThat(gateway.adminAddress()).isNull();
            gateway.apply(config("admin: { address: '127.0.0.1:" + first + "' }\n"));
            assertThat(gateway.adminPort()).isEqualTo(first);
            assertThat(get(first, "/ready").status()).isEqualTo(200);
            try (RawClient kept = connect(first)) {
                String ready = "GET /ready HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
                assertThat(kept.send(ready).readResponse().status()).isEqualTo(200);
                gateway.apply(config("admin: { address: '127.0.0.1:0' }\n"));
                assertThat(gateway.adminPort()).isNotEqualTo(first);
                assertThat(get(gateway.adminPort(), "/ready").status()).isEqualTo(200);
                assertThatThrownBy(() -> connect(first)).isInstanceOf(ConnectException.class);
                assertThat(kept.send(ready).readResponse().status()).isEqualTo(200);
            }
            int last = gateway.adminPort();
            gateway.apply(config(""));
            assertThat(gateway.adminAddress()).isNull();
            Eventually.eventually(() -> assertThatThrownBy(() -> connect(last)).isInstanceOf(ConnectException.class));
        }
    }

    @Test
    void anAdminAddressInUseIsRefusedAndTheOldOneServes() throws Exception {
        try (Lychgate gateway = Lychgate.start(config("admin: { address: '127.0.0.1:0' }\n"));
                ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + taken.getLocalPort();
            assertThatThrownBy(() -> gateway.apply(config("admin: { address: '" + address + "' }\n")))
                    .isInstanceOf(ConfigException.class)
                    .hasMessage("admin.address: " + address
                            + " (expected: an address that can be bound: the address is already in use)");
            assertThat(get(gateway.adminPort(), "/ready").status()).isEqualTo(200);
        }
    }

    @Test
    void theRecorderKeepsAnotherNumberOfExchanges() throws Exception {
        String failing = "routes: [{ id: all, respond: { status: 503 } }]\n";
        try (Lychgate gateway = Lychgate.start(recorder(failing, 8))) {
            for (int i = 0; i < 6; i++) {
                get(gateway.port("main"), "/");
            }
            Eventually.eventually(() -> assertThat(gateway.recent().all()).hasSize(6));
            gateway.apply(recorder(failing, 2));
            assertThat(gateway.recent().all()).hasSize(2);
            gateway.apply(recorder(failing, 0));
            assertThat(gateway.recent().all()).isEmpty();
        }
    }

    private static GatewayConfig recorder(String routes, int keep) throws Exception {
        String listeners = "listeners: [{ name: main, address: '127.0.0.1:0' }]\n";
        return new ConfigReader(name -> null)
                .read("g.yml", listeners + routes + "recorder: { keep: " + keep + " }\n")
                .config();
    }

    @Test
    void aRecordingBeginsChangesAndEnds() throws Exception {
        Path file = directory.resolve("traffic.rec");
        Path other = directory.resolve("other.rec");
        String recorded = "lychgate_recording_recorded_total";
        try (Lychgate gateway = Lychgate.start(config(""))) {
            get(gateway.port("main"), "/before");
            gateway.apply(config("record: { file: '" + file + "', rules: [{ share: 100% }] }\n"));
            get(gateway.port("main"), "/first");
            Eventually.eventually(() -> assertThat(metric(gateway, recorded)).isEqualTo(1));
            // The same file, which only one recorder may open.
            gateway.apply(config("record: { file: '" + file + "', body: 1KiB, rules: [{ share: 100% }] }\n"));
            get(gateway.port("main"), "/second");
            Eventually.eventually(() -> assertThat(metric(gateway, recorded)).isEqualTo(2));
            gateway.apply(config("record: { file: '" + other + "', rules: [{ share: 100% }] }\n"));
            get(gateway.port("main"), "/third");
            Eventually.eventually(() -> assertThat(metric(gateway, recorded)).isEqualTo(3));
            gateway.apply(config(""));
            get(gateway.port("main"), "/after");
            assertThat(metric(gateway, recorded)).isEqualTo(3);
            assertThat(file).isNotEmptyFile();
            assertThat(other).isNotEmptyFile();
            // The lock of the first recording has been released.
            gateway.apply(config("record: { file: '" + file + "', rules: [{ share: 100% }] }\n"));
        }
    }

    @Test
    void changedBucketsResetTheHistogramsOnly() throws Exception {
        try (Lychgate gateway = Lychgate.start(config(""))) {
            get(gateway.port("main"), "/");
            Eventually.eventually(() -> assertThat(buckets(gateway)).anyMatch(line -> line.contains("le=\"0.0025\"")));
            gateway.apply(config("metrics: { buckets: [7ms] }\n"));
            get(gateway.port("main"), "/");
            Eventually.eventually(() -> assertThat(buckets(gateway))
                    .anyMatch(line -> line.contains("le=\"0.007\""))
                    .noneMatch(line -> line.contains("le=\"0.0025\"")));
            Eventually.eventually(() -> assertThat(metrics(gateway))
                    .containsPattern("lychgate_requests_total\\{[^}]*route=\"all\"[^}]*} 2\\.0"));
        }
    }

    /** The buckets of the durations of exchanges. */
    private static List<String> buckets(Lychgate gateway) throws Exception {
        return metrics(gateway)
                .lines()
                .filter(line -> line.contains("_bucket{") && line.contains("route=\"all\""))
                .toList();
    }

    @Test
    void metricsAndSpansGoToTheReceiversOfTheChangedSettings() throws Exception {
        try (ScriptedOrigin before = ScriptedOrigin.answering(
                        (request, c) -> c.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
                ScriptedOrigin after = ScriptedOrigin.answering(
                        (request, c) -> c.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))) {
            try (Lychgate gateway = Lychgate.start(config(receivers(before.port(), "first-key")))) {
                get(gateway.port("main"), "/");
                Eventually.eventually(() ->
                        assertThat(before.requests()).anyMatch(r -> r.target().equals("/v1/traces")));
                gateway.apply(config(receivers(after.port(), "second-key")));
                get(gateway.port("main"), "/");
                Eventually.eventually(() ->
                        assertThat(after.requests()).anyMatch(r -> r.target().equals("/v1/traces")));
                Eventually.eventually(() ->
                        assertThat(after.requests()).anyMatch(r -> r.target().equals("/v1/metrics")));
                Eventually.eventually(() ->
                        assertThat(metric(gateway, "lychgate_spans_sent_total")).isEqualTo(2));
                gateway.apply(config(""));
                get(gateway.port("main"), "/");
            }
            // The last data of the first receiver does not carry the credentials of the second.
            assertThat(before.requests()).allMatch(r -> r.values("x-key").equals(List.of("first-key")));
            assertThat(after.requests()).allMatch(r -> r.values("x-key").equals(List.of("second-key")));
        }
    }

    private static String receivers(int port, String key) {
        return """
                tracing: { sample: 100%%, otlp: { url: "http://127.0.0.1:%1$d/v1/traces", headers: { x-key: %2$s } } }
                metrics:
                  jmx: false
                  otlp: { url: "http://127.0.0.1:%1$d/v1/metrics", interval: 1s, headers: { x-key: %2$s } }
                """.formatted(port, key);
    }
}
