package dev.lychgate.server.reload;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.Lychgate;
import dev.lychgate.config.HistoryConfig;
import dev.lychgate.server.engine.DataPlaneEngine;
import dev.lychgate.server.history.Change;
import dev.lychgate.server.history.ChangeHistory;
import dev.lychgate.server.history.ChangeHistory.Query;
import dev.lychgate.server.history.Entry;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A gateway that watches its files and has a history. */
abstract class RecordedGateway {
    static final String ALICE = "alice-alice-alice-alice";
    static final String BOB = "bob-bob-bob-bob-bob-bob";

    @TempDir
    Path home = Path.of("");

    private @Nullable FileGateway<Lychgate> files;

    @BeforeEach
    void write() throws Exception {
        Files.createDirectories(home.resolve("filters/outbound"));
        Files.createDirectories(home.resolve("more"));
        Files.writeString(home.resolve("alice.token"), ALICE + "\n");
        configure("history: { generations: 10 }");
        RolloutFixture.write(
                home.resolve("more/routes.yml"),
                "routes: [{ id: all, match: { path: \"/**\" }, respond: { status: 200 } }]\n");
        stamp("1");
    }

    @AfterEach
    void stop() {
        FileGateway<Lychgate> running = files;
        if (running != null) {
            running.gateway().close();
            running.close();
            files = null;
        }
    }

    void configure(String further) throws Exception {
        RolloutFixture.write(config(), """
            listeners: [{ name: main, address: "127.0.0.1:0" }]
            admin:
              address: "127.0.0.1:0"
              operators:
                - { name: alice, roles: [operator], token-file: alice.token }
                - { name: bob, token: "%s" }
            filters: { directory: filters }
            include: more/*.yml
            access-log: { format: off }
            %s
            """.formatted(BOB, further));
    }

    Path config() {
        return home.resolve("gateway.yml");
    }

    Path file() {
        return ChangeHistory.file(config(), HistoryConfig.DEFAULT);
    }

    void stamp(String value) throws Exception {
        filter("it.response.headers['x-stamp'] = '" + value + "'");
    }

    void filter(String code) throws Exception {
        RolloutFixture.write(home.resolve("filters/outbound/stamp.groovy"), "filter { " + code + " }\n");
    }

    void start() throws Exception {
        files = FileGateway.start(config(), name -> null, Lychgate::start);
    }

    void restart() throws Exception {
        stop();
        start();
    }

    FileGateway<Lychgate> files() {
        FileGateway<Lychgate> running = files;
        if (running == null) {
            throw new AssertionError("not started");
        }
        return running;
    }

    RawMessage admin(String token, String request) throws Exception {
        try (RawClient client = RawClient.connect(new InetSocketAddress(
                InetAddress.getLoopbackAddress(), files().gateway().adminPort()))) {
            return client.send(request + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\nAuthorization: Bearer "
                            + token + "\r\n\r\n")
                    .readResponse();
        }
    }

    String command(String token, String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--admin", "127.0.0.1:" + files().gateway().adminPort(), "--token", token));
        return Commands.run(new DataPlaneEngine(), all.toArray(String[]::new));
    }

    String stamped() throws Exception {
        try (RawClient client = RawClient.connect(new InetSocketAddress(
                InetAddress.getLoopbackAddress(), files().gateway().port("main")))) {
            return client.get("/").value("x-stamp").orElse("none");
        }
    }

    List<Entry> entries() throws Exception {
        return ChangeHistory.read(file(), new Query(Long.MAX_VALUE, 1000, null, null));
    }

    /**
     * Waits for a newest entry.
     *
     * @return it
     */
    Change await(String action, String verdict) throws Exception {
        eventually(() -> {
            Change newest = entries().get(0).change();
            assertThat(newest.action() + " " + newest.verdict())
                    .as(newest.reason())
                    .isEqualTo(action + " " + verdict);
        });
        return entries().get(0).change();
    }

    static String sha256(Path file) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
    }

    static String offline(String... words) {
        return Commands.run(new DataPlaneEngine(), words);
    }
}
