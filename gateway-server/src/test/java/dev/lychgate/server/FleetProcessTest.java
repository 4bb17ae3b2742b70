package dev.lychgate.server;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.terminal.JsonValue;
import dev.lychgate.testing.RawClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Five gateway processes of a fleet with a store in a directory, under traffic. */
@Tag("slow")
class FleetProcessTest {
    private static final int NODES = 5;
    /** Limit of the wait for a change on loaded machines. */
    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir
    Path home = Path.of("");

    private final List<ChildGateway> nodes = new ArrayList<>();
    private final List<Thread> clients = new ArrayList<>();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicInteger responses = new AtomicInteger();
    private final List<String> failures = Collections.synchronizedList(new ArrayList<>());

    @BeforeEach
    void createFleet() throws Exception {
        Files.createDirectory(home.resolve("store"));
        for (int i = 0; i < NODES; i++) {
            Path directory = Files.createDirectory(home.resolve("node" + i));
            Files.writeString(directory.resolve("node.yml"), """
                    admin: { address: "127.0.0.1:0" }
                    fleet:
                      space: prod
                      store: { directory: ../store }
                      trust: [../release.key.pub]
                      state: state
                      node: node%d
                      labels: { zone: "%d" }
                    """.formatted(i, i % 2));
        }
        fleet(0, "init", "--key", key());
    }

    @AfterEach
    void stop() throws Exception {
        ended.set(true);
        for (Thread client : clients) {
            client.join();
        }
        for (ChildGateway node : nodes) {
            node.close();
        }
    }

    private String key() {
        return home.resolve("release.key").toString();
    }

    private Path config(int node) {
        return home.resolve("node" + node + "/node.yml");
    }

    /** Runs {@code lychgate fleet ... --json}, and returns its output. */
    private JsonValue fleet(int code, String... words) throws Exception {
        List<String> all = new ArrayList<>(List.of("fleet"));
        all.addAll(List.of(words));
        all.addAll(List.of("--json", "--author", "alice", "--config", config(0).toString()));
        Path output = home.resolve("output");
        Path errors = home.resolve("errors");
        Process process = ChildGateway.command("", all.toArray(new String[0]))
                .redirectErrorStream(false)
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile())
                .start();
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        String text = Files.readString(output);
        assertThat(process.exitValue())
                .as(String.join(" ", words) + ": " + text + Files.readString(errors))
                .isEqualTo(code);
        return text.isBlank() ? JsonValue.NOTHING : JsonValue.of(text);
    }

    /** Pushes a release whose responses have a stamp, and returns its digest. */
    private String push(String stamp) throws Exception {
        return push(stamp, "filter { it.response.headers['x-stamp'] = '" + stamp + "' }\n");
    }

    private String push(String stamp, String filter) throws Exception {
        Path source = Files.createDirectory(home.resolve("source-" + stamp));
        Files.writeString(source.resolve("gateway.yml"), """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                filters: { directory: filters }
                routes: [{ id: all, respond: { status: 200, body: "hello" } }]
                access-log: { format: off }
                """);
        Files.createDirectories(source.resolve("filters/outbound"));
        Files.writeString(source.resolve("filters/outbound/stamp.groovy"), filter);
        return fleet(0, "push", source.toString(), "--key", key(), "--message", "stamp " + stamp)
                .get("release")
                .raw();
    }

    private void startAll() throws Exception {
        for (int i = 0; i < NODES; i++) {
            nodes.add(ChildGateway.launch(config(i), ""));
        }
        awaitReports();
    }

    /** Waits until all nodes are ready and have reported. A change does not wait for a node that has not reported. */
    private void awaitReports() throws Exception {
        for (ChildGateway node : nodes) {
            node.awaitLine("ready after");
        }
        eventually(() -> assertThat(
                        JsonValue.of(admin(nodes.get(0), "/fleet/nodes")).list("nodes"))
                .hasSize(NODES));
    }

    private static String stamp(ChildGateway node) throws Exception {
        try (RawClient client = node.client()) {
            return client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                    .readResponse()
                    .value("x-stamp")
                    .orElse("none");
        }
    }

    private void allServe(String stamp) throws Exception {
        for (ChildGateway node : nodes) {
            assertThat(stamp(node)).isEqualTo(stamp);
        }
    }

    /** Sends requests to all nodes until the end of the test, one connection for each node. */
    private void startTraffic() {
        for (ChildGateway node : nodes) {
            Thread client = new Thread(() -> send(node));
            client.start();
            clients.add(client);
        }
    }

    private void send(ChildGateway node) {
        try (RawClient client = node.client()) {
            while (!ended.get()) {
                int status = client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                        .readResponse()
                        .status();
                if (status == 200) {
                    responses.incrementAndGet();
                } else {
                    failures.add("status " + status);
                }
                TimeUnit.MILLISECONDS.sleep(5);
            }
        } catch (Exception | AssertionError e) {
            failures.add(e.toString());
        }
    }

    private static String admin(ChildGateway node, String path) throws Exception {
        try (RawClient admin = node.admin()) {
            return admin.send("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                    .readResponse()
                    .body();
        }
    }

    private static JsonValue page(ChildGateway node) throws Exception {
        return JsonValue.of(admin(node, "/fleet"));
    }

    private static String metrics(ChildGateway node) throws Exception {
        return admin(node, "/metrics");
    }

    @Test
    void allNodesServeTheSameReleaseAndNoRequestFails() throws Exception {
        String one = push("1");
        String two = push("2");
        fleet(0, "activate", one, "--key", key());
        startAll();
        allServe("1");
        startTraffic();

        // Both steps: all nodes have prepared the release before the head names it as the release in force.
        JsonValue result = fleet(0, "activate", two, "--key", key(), "--wait", "60s");
        assertThat(result.is("activated")).isTrue();
        assertThat(result.list("problems")).isEmpty();
        allServe("2");
        assertThat(fleet(0, "nodes").list("nodes"))
                .hasSize(NODES)
                .allMatch(
                        node -> node.get("active").raw().equals(two) && node.number("epoch") == 4 && !node.is("lost"));
        assertThat(page(nodes.get(3)).get("node").raw()).isEqualTo("node3");
        assertThat(page(nodes.get(3)).get("active").raw()).isEqualTo(two);
        assertThat(metrics(nodes.get(3)))
                .contains("lychgate_fleet_release{digest=\"" + two + "\",node=\"node3\",space=\"prod\"} 1.0\n");
        JsonValue space = JsonValue.of(admin(nodes.get(1), "/fleet/nodes"));
        assertThat(space.get("stable").raw()).isEqualTo(two);
        assertThat(space.list("nodes"))
                .extracting(node -> node.get("node").raw())
                .containsExactly("node0", "node1", "node2", "node3", "node4");

        // A rollback to a release that the nodes have built before.
        fleet(0, "rollback", "--key", key());
        eventually(SOON, () -> allServe("1"));

        eventually(() -> assertThat(responses.get()).as("%s", failures).isGreaterThan(NODES * 20));
        ended.set(true);
        for (Thread client : clients) {
            client.join();
        }
        assertThat(failures).isEmpty();
        assertThat(fleet(0, "history").list("heads"))
                .extracting(head -> head.number("epoch"))
                .containsExactly(5.0, 4.0, 3.0, 2.0, 1.0);
    }

    @Test
    void oneRefusingNodeKeepsAllNodesOnTheReleaseInForce() throws Exception {
        String one = push("1");
        String two =
                push("2", "if (System.getenv('REFUSE')) { throw new IllegalStateException('no disk') }\nfilter { }\n");
        fleet(0, "activate", one, "--key", key());
        for (int i = 0; i < NODES; i++) {
            nodes.add(ChildGateway.launch(config(i), i == 2 ? "export REFUSE=1; " : ""));
        }
        awaitReports();
        startTraffic();

        JsonValue result = fleet(1, "activate", two, "--key", key(), "--wait", "60s");
        assertThat(result.is("activated")).isFalse();
        assertThat(result.list("problems"))
                .singleElement()
                .satisfies(problem ->
                        assertThat(problem.raw()).startsWith("node2: refused: ").contains("no disk"));
        assertThat(result.get("head").get("stable").raw()).isEqualTo(one);
        allServe("1");
        eventually(() -> assertThat(fleet(0, "nodes").list("nodes"))
                .allMatch(node -> node.get("active").raw().equals(one)));
        assertThat(failures).isEmpty();
    }

    @Test
    void aNodeStartsWithoutTheStoreAndRefusesACorruptedArchive() throws Exception {
        String one = push("1");
        fleet(0, "activate", one, "--key", key());
        ChildGateway first = ChildGateway.start(config(0));
        nodes.add(first);
        assertThat(stamp(first)).isEqualTo("1");
        first.signal("KILL");
        first.close();
        nodes.clear();

        Files.move(home.resolve("store"), home.resolve("away"));
        ChildGateway again = ChildGateway.start(config(0));
        nodes.add(again);
        assertThat(stamp(again)).isEqualTo("1");
        again.awaitLine("the store does not respond");
        // The line is written shortly before the state changes.
        eventually(() -> assertThat(metrics(again))
                .contains(
                        "lychgate_fleet_epoch 0.0\n", "lychgate_fleet_store_up 0.0\n", "lychgate_fleet_refused 0.0\n"));
        Files.move(home.resolve("away"), home.resolve("store"));
        again.awaitLine("the store responds again");
        eventually(() ->
                assertThat(metrics(again)).contains("lychgate_fleet_epoch 2.0\n", "lychgate_fleet_store_up 1.0\n"));

        String two = push("2");
        Path archive = home.resolve("store/prod/releases").resolve(two);
        byte[] bytes = Files.readAllBytes(archive);
        // The command verifies the archive, too, so the damage occurs afterwards.
        fleet(0, "activate", two, "--key", key());
        eventually(SOON, () -> assertThat(stamp(again)).isEqualTo("2"));
        fleet(0, "rollback", "--key", key());
        eventually(SOON, () -> assertThat(stamp(again)).isEqualTo("1"));
        corrupt(archive, bytes);
        fleet(1, "activate", two, "--key", key());
        assertThat(Files.readString(home.resolve("errors"))).contains("is corrupted");
        assertThat(stamp(again)).isEqualTo("1");
    }

    private static void corrupt(Path file, byte[] bytes) throws IOException {
        byte[] changed = bytes.clone();
        changed[changed.length - 1] ^= 1;
        Files.write(file, changed);
    }
}
