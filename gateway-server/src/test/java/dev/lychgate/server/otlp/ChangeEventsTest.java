package dev.lychgate.server.otlp;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.Lychgate;
import dev.lychgate.config.HistoryConfig;
import dev.lychgate.server.history.ChangeHistory;
import dev.lychgate.server.history.ChangeHistory.Query;
import dev.lychgate.server.history.Entry;
import dev.lychgate.server.metrics.Losses;
import dev.lychgate.server.otlp.SpanReader.LogRecord;
import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.server.yaml.ConfigReader;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.GZIPInputStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Entries of the history at a collector of OpenTelemetry and in the sinks of the access log. */
@Tag("slow")
class ChangeEventsTest {
    private static final String ALICE = "alice-alice-alice-alice";
    private static final String KEY = "key-key-key-key-key";

    @TempDir
    Path home = Path.of("");

    private final List<RawMessage> received = new CopyOnWriteArrayList<>();
    private final AtomicBoolean refused = new AtomicBoolean();

    private Path configure(String accessLog, String history) throws Exception {
        return Files.writeString(home.resolve("gateway.yml"), """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                routes: [{ id: all, match: { path: "/**" }, respond: { status: 200 } }]
                admin:
                  address: "127.0.0.1:0"
                  operators: [{ name: alice, roles: [operator], token: "%s" }]
                access-log: { %s }
                tracing: { service: front }
                history: { %s }
                """.formatted(ALICE, accessLog, history));
    }

    private String otlp(int port) {
        return "otlp: { url: \"http://127.0.0.1:" + port + "/v1/logs\", headers: { x-key: \"" + KEY + "\" } }";
    }

    private static RawMessage admin(Lychgate gateway, String request) throws Exception {
        try (RawClient client =
                RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.adminPort()))) {
            return client.send(request + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + ALICE
                            + "\r\nContent-Length: 0\r\n\r\n")
                    .readResponse();
        }
    }

    /** Starts a receiver that refuses the first request to the collector. */
    private ScriptedOrigin receiver() {
        return ScriptedOrigin.answering((request, c) -> {
            boolean busy = request.target().equals("/v1/logs") && refused.compareAndSet(false, true);
            received.add(request);
            c.send(busy ? "HTTP/1.1 503 Later\r\nContent-Length: 0\r\n\r\n" : Responses.ok(""));
        });
    }

    private static byte[] body(RawMessage request) throws IOException {
        try (InputStream unzipped = new GZIPInputStream(new ByteArrayInputStream(request.bodyBytes()))) {
            return unzipped.readAllBytes();
        }
    }

    private List<RawMessage> received(String path) {
        return received.stream()
                .filter(request -> request.target().equals(path))
                .toList();
    }

    private List<LogRecord> events() throws IOException {
        List<LogRecord> events = new ArrayList<>();
        for (RawMessage request : received("/v1/logs")) {
            events.addAll(SpanReader.logs(body(request)));
        }
        return events;
    }

    @Test
    void everySinkGetsEachEntryWithoutSecrets() throws Exception {
        try (ScriptedOrigin receiver = receiver()) {
            everySinkGetsEachEntry(receiver);
        }
    }

    private void everySinkGetsEachEntry(ScriptedOrigin receiver) throws Exception {
        Path log = home.resolve("access.log");
        Path file = configure(
                "file: \"" + log + "\", hec: { url: \"http://127.0.0.1:" + receiver.port()
                        + "\", token: hec-hec-hec, sourcetype: own }",
                "access-log: true, " + otlp(receiver.port()));
        Instant begin = Instant.now();
        FileGateway<Lychgate> files = FileGateway.start(file, name -> null, Lychgate::start);
        try {
            assertThat(admin(files.gateway(), "POST /log?logger=dev.lychgate.test&level=debug")
                            .status())
                    .isEqualTo(200);
            eventually(() -> assertThat(admin(files.gateway(), "GET /metrics").body())
                    .contains("lychgate_history_otlp_sent_total 2", "lychgate_history_otlp_failures_total 1"));
            assertThat(admin(files.gateway(), "GET /config").body())
                    .contains("\"otlp\":{\"url\":")
                    .doesNotContain(KEY, "hec-hec");
        } finally {
            files.gateway().close();
            files.close();
        }
        List<Entry> entries = ChangeHistory.read(
                ChangeHistory.file(file, HistoryConfig.DEFAULT), new Query(Long.MAX_VALUE, 10, null, null));
        assertThat(entries).extracting(entry -> entry.change().action()).containsExactly("stop", "log", "start");
        holdToEntries(entries, begin);
        holdToLines(entries, Files.readAllLines(log));
        StringBuilder splunk = new StringBuilder();
        for (RawMessage request : received("/services/collector/event")) {
            splunk.append(new String(body(request), StandardCharsets.UTF_8));
        }
        assertThat(splunk.toString())
                .contains("\"sourcetype\":\"lychgate:change\",\"event\":{\"time\":\"")
                .contains("\"hash\":\"" + entries.get(0).hash() + "\"");
        assertThat(Files.readString(log) + events()).doesNotContain(ALICE, KEY, "hec-hec");
    }

    private void holdToEntries(List<Entry> entries, Instant begin) throws IOException {
        List<LogRecord> events = events();
        assertThat(events).as("the first one was sent again after 503").hasSize(4);
        assertThat(events.get(0).attributes()).isEqualTo(events.get(1).attributes());
        RawMessage request = received("/v1/logs").get(0);
        assertThat(SpanReader.resource(body(request)))
                .containsEntry("service.name", "front")
                .containsKeys("service.version", "service.instance.id", "host.name");
        assertThat(request.value("x-key")).contains(KEY);
        assertThat(request.value("content-type")).contains("application/x-protobuf");

        LogRecord start = events.get(1);
        assertThat(start.event()).isEqualTo("lychgate.change");
        assertThat(start.severity()).isEqualTo(9);
        assertThat(start.body()).isEqualTo("start accepted");
        assertThat(start.time()).isBetween(nanos(begin), nanos(Instant.now()));
        assertThat(start.observed()).isGreaterThanOrEqualTo(start.time());
        assertThat(start.attributes().get("lychgate.change.files"))
                .asInstanceOf(InstanceOfAssertFactories.list(Object.class))
                .hasSize(1)
                .allSatisfy(each -> assertThat(each)
                        .asInstanceOf(InstanceOfAssertFactories.map(String.class, Object.class))
                        .containsKeys("path", "change", "sha256"));
        LogRecord change = events.get(2);
        Entry entry = entries.get(1);
        assertThat(change.attributes())
                .containsEntry("lychgate.change.number", entry.number())
                .containsEntry("lychgate.change.hash", entry.hash())
                .containsEntry("lychgate.change.previous", entry.previous())
                .containsEntry("lychgate.change.action", "log")
                .containsEntry("lychgate.change.by", "admin")
                .containsEntry("lychgate.change.arguments", entry.change().parameters())
                .containsEntry("user.name", "alice")
                .containsEntry("client.address", "127.0.0.1")
                .containsKeys("client.port", "lychgate.change.proof", "lychgate.change.duration_ms");
        assertThat(events.get(3).attributes()).containsEntry("lychgate.change.action", "stop");
    }

    private static void holdToLines(List<Entry> entries, List<String> lines) {
        assertThat(lines).hasSize(3);
        for (int i = 0; i < 3; i++) {
            assertThat(lines.get(2 - i))
                    .matches(
                            "\\{\"time\":\"[0-9-]{10}T[0-9:]{8}\\.[0-9]{3}Z\",\"event\":\"change\",\"change\":\\{[ -~]*}}")
                    .contains("\"hash\":\"" + entries.get(i).hash() + "\"");
        }
    }

    private static long nanos(Instant time) {
        return time.getEpochSecond() * 1_000_000_000L + time.getNano();
    }

    @Test
    void aCollectorThatNeverRespondsDelaysNoChange() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Path file = configure(
                    "format: combined, file: \"" + home.resolve("access.log")
                            + "\", hec: { url: \"http://127.0.0.1:9\", token: none, timeout: 1s, patience: 1s }",
                    "access-log: true, " + otlp(silent.getLocalPort()));
            FileGateway<Lychgate> files = FileGateway.start(file, name -> null, Lychgate::start);
            try {
                for (int i = 0; i < 20; i++) {
                    assertThat(admin(files.gateway(), "POST /log?logger=dev.lychgate.test&level=debug")
                                    .status())
                            .isEqualTo(200);
                }
                eventually(
                        () -> assertThat(admin(files.gateway(), "GET /metrics").body())
                                .contains("lychgate_history_written_total 21", "lychgate_history_otlp_sent_total 0"));
            } finally {
                files.gateway().close();
                files.close();
            }
            // Everything that was queued is lost at the end, and counted.
            assertThat(files.gateway().metrics().losses().all())
                    .filteredOn(loss -> loss.metric().contains("history_otlp_dropped"))
                    .extracting(Losses.Loss::total)
                    .containsExactly(22L);
            assertThat(home.resolve("access.log")).isEmptyFile();
        }
    }

    @Test
    void refusesAnAccessLogWithoutASinkForChanges() {
        assertThatThrownBy(() -> new ConfigReader(name -> null).read("test.yml", """
                        listeners: [{ name: main, address: "127.0.0.1:0" }]
                        access-log: { format: combined }
                        history: { access-log: true }
                        """))
                .hasMessageContaining("history.access-log")
                .hasMessageContaining("json");
    }
}
