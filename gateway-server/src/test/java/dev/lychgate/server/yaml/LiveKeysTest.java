package dev.lychgate.server.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lychgate.Lychgate;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.server.extensions.ExtensionJars;
import dev.lychgate.server.extensions.InstalledExtensions;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each key of docs/configuration.md changes while the gateway serves, except the keys that need a restart. */
@Tag("slow")
class LiveKeysTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** The keys that the page marks with "a restart is needed to change it", with all keys in their sections. */
    private static final Pattern RESTART =
            Pattern.compile("(workers|transport|history|fleet|filters\\.directory)([.\\[].*)?");

    private static final String SMALLEST = """
            listeners: [{ name: a, address: "localhost:0" }, { name: load, address: "127.0.0.1:0" }]
            routes:
              - { id: r, upstream: u, match: { path: /r } }
              - { id: load, order: -1000, match: { path: /load }, respond: { status: 204 } }
            upstreams: { u: { endpoints: ["http://localhost:1"] } }
            """;

    @BeforeAll
    static void installAnExtension(@TempDir Path directory) throws Exception {
        ExtensionJars.sample("sample").write(directory.resolve("sample.jar"));
        ExtensionJars.guards("guards").write(directory.resolve("guards.jar"));
        System.setProperty(InstalledExtensions.DIRECTORY, directory.toString());
    }

    @AfterAll
    static void forgetIt() {
        System.clearProperty(InstalledExtensions.DIRECTORY);
    }

    @TempDir
    Path directory = Path.of("");

    private final SampleFiles samples = new SampleFiles(SMALLEST);

    LiveKeysTest() throws Exception {}

    private static GatewayConfig read(String text) throws FaultyConfigException {
        return new ConfigReader(name -> null).read("gateway.yml", text).config();
    }

    private List<JsonNode> values(DocumentedRow row) {
        Set<JsonNode> values = new LinkedHashSet<>();
        row.words().forEach(word -> values.add(JSON.valueToTree(word)));
        JsonNode given = samples.values().path(row.key());
        if (given.isMissingNode()) {
            row.amounts().forEach(amount -> values.add(JSON.valueToTree(amount)));
        }
        given.forEach(values::add);
        return List.copyOf(values);
    }

    @Test
    void eachKeyChangesUnderLoadUnlessItNeedsARestart() throws Exception {
        List<String> refused = new ArrayList<>();
        int applied = 0;
        try (Lychgate gateway = Lychgate.start(read(SMALLEST));
                Load load = new Load(gateway.port("load"))) {
            for (DocumentedRow row : DocumentedRow.all()) {
                // These keys would also replace the listener or the route of the load, and contain keys that have their
                // own rows.
                if (row.isSection()
                        || row.key().startsWith("defaults")
                        || row.key().equals("listeners")
                        || row.key().equals("routes")
                        || row.key().equals("upstreams")
                        || RESTART.matcher(row.key()).matches()) {
                    continue;
                }
                for (JsonNode value : values(row)) {
                    load.value = row.key() + ": " + value;
                    String refusal = refusal(gateway, inDirectory(samples.with(row.key(), value)));
                    if (refusal == null) {
                        applied++;
                    } else {
                        refused.add(row.key() + " = " + value + ": " + refusal);
                    }
                }
            }
            gateway.apply(read(SMALLEST));
            load.end();
        }
        assertThat(refused).noneMatch(refusal -> refusal.contains("restart"));
        // The others name files, secrets or origins that do not exist.
        assertThat(refused.size()).as("%s", String.join("\n", refused)).isLessThan(applied / 3);
    }

    @Test
    void theOtherKeysAreRefusedWithTheirNames() throws Exception {
        try (Lychgate gateway = Lychgate.start(read(SMALLEST))) {
            assertThat(refusal(
                            gateway,
                            samples.with("workers", JSON.valueToTree(3)).toString()))
                    .startsWith("workers: 3 (expected: the value at start: auto; restart the gateway to change it");
            assertThat(refusal(
                            gateway,
                            samples.with("transport", JSON.valueToTree("nio")).toString()))
                    .startsWith("transport: ");
        }
    }

    /** Moves the files that the gateway would write into the directory of the test. */
    private String inDirectory(ObjectNode file) {
        for (String section : List.of("access-log", "record")) {
            if (file.path(section).path("file").isTextual()) {
                Path name = Path.of(file.path(section).path("file").asText()).getFileName();
                ((ObjectNode) file.get(section))
                        .put("file", directory.resolve(section + "-" + name).toString());
            }
        }
        return file.toString();
    }

    private static @Nullable String refusal(Lychgate gateway, String text) throws FaultyConfigException {
        try {
            gateway.apply(read(text));
            return null;
        } catch (ConfigException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** A client that sends requests until the end, and opens a connection again only if the gateway has announced that. */
    private static final class Load implements AutoCloseable {
        private final AtomicBoolean over = new AtomicBoolean();
        private final AtomicInteger served = new AtomicInteger();
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        private final Thread thread;
        /** The key and the value that were applied last, for messages. */
        private volatile String value = "";

        Load(int port) {
            thread = new Thread(() -> run(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
            thread.start();
        }

        private void run(InetSocketAddress address) {
            try {
                while (!over.get()) {
                    try (RawClient client = RawClient.connect(address)) {
                        boolean ends = false;
                        while (!ends && !over.get()) {
                            RawMessage response = client.get("/load");
                            // Some values, such as filters, change responses.
                            assertThat(response.status()).as(value).isLessThan(500);
                            served.incrementAndGet();
                            ends = response.values("connection").contains("close");
                        }
                    }
                }
            } catch (Exception | AssertionError e) {
                failure.set(e);
            }
        }

        void end() {
            close();
            assertThat(failure.get()).isNull();
            assertThat(served.get()).isPositive();
        }

        @Override
        public void close() {
            over.set(true);
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
