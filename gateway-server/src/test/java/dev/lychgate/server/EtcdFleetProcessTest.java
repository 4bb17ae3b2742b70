package dev.lychgate.server;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lychgate.config.EtcdConfig;
import dev.lychgate.config.FleetConfig;
import dev.lychgate.config.FleetStoreConfig;
import dev.lychgate.server.fleet.EtcdCluster;
import dev.lychgate.server.fleet.FleetHead;
import dev.lychgate.server.fleet.FleetOperator;
import dev.lychgate.server.fleet.SigningKey;
import dev.lychgate.testing.RawClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two gateway processes of a fleet in etcd, under traffic, while members of etcd are killed. */
@Tag("slow")
class EtcdFleetProcessTest {
    private static final int NODES = 2;
    /** Limits of the waits for a change on loaded machines. */
    private static final Duration APPLIED_WITHIN = Duration.ofSeconds(30);

    private static final Duration AFTER_RETURN = Duration.ofSeconds(30);

    @TempDir
    Path home = Path.of("");

    private final List<ChildGateway> nodes = new ArrayList<>();
    private final List<Thread> clients = new ArrayList<>();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicInteger responses = new AtomicInteger();
    private final List<String> failures = new CopyOnWriteArrayList<>();

    private FleetConfig config(EtcdCluster cluster) throws Exception {
        SigningKey.create(home.resolve("release.key"), home.resolve("release.key.pub"));
        for (int i = 0; i < NODES; i++) {
            Files.writeString(Files.createDirectory(home.resolve("node" + i)).resolve("node.yml"), """
                    fleet:
                      space: prod
                      store: { etcd: { endpoints: [%s], timeout: 500ms } }
                      trust: ../release.key.pub
                      state: state
                      node: node%d
                    """.formatted(
                            String.join(
                                    ", ",
                                    cluster.endpoints().stream()
                                            .map(each -> "\"" + each + "\"")
                                            .toList()),
                            i));
        }
        EtcdConfig etcd = new EtcdConfig(cluster.endpoints(), "/lychgate", null, null, null, Duration.ofSeconds(2));
        return new FleetConfig(
                "prod",
                FleetStoreConfig.of(etcd),
                List.of(home.resolve("release.key.pub").toString()),
                home.resolve("state").toString(),
                null,
                Map.of());
    }

    private FleetOperator.Signer signer() throws Exception {
        return new FleetOperator.Signer(SigningKey.read(home.resolve("release.key")), "alice", "test");
    }

    private String push(FleetOperator operator, String stamp) throws Exception {
        Path source = Files.createDirectory(home.resolve("source-" + stamp));
        Files.writeString(source.resolve("gateway.yml"), """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                routes: [{ id: all, respond: { status: 200, body: "%s" } }]
                access-log: { format: off }
                """.formatted(stamp));
        return operator.push(source, signer()).digest();
    }

    private void activate(FleetOperator operator, String digest) throws Exception {
        FleetHead head = operator.head();
        // An earlier call may have succeeded although etcd did not respond in time.
        if (!digest.equals(head.stable())) {
            operator.activate(head, digest, signer());
        }
    }

    private static String body(ChildGateway node) throws Exception {
        try (RawClient client = node.client()) {
            return client.get("/").body();
        }
    }

    private void allServe(Duration limit, String stamp) throws Exception {
        eventually(limit, () -> {
            for (ChildGateway node : nodes) {
                assertThat(body(node)).isEqualTo(stamp);
            }
        });
    }

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
                int status = client.get("/").status();
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

    @Test
    void noRequestFailsWhileMembersOfEtcdAreKilled() throws Exception {
        assumeTrue(EtcdCluster.isInstalled(), EtcdCluster.MISSING);
        try (EtcdCluster cluster = EtcdCluster.start(3);
                FleetOperator operator = FleetOperator.open(config(cluster))) {
            operator.init(signer());
            String one = push(operator, "one");
            String two = push(operator, "two");
            activate(operator, one);
            for (int i = 0; i < NODES; i++) {
                nodes.add(ChildGateway.launch(home.resolve("node" + i + "/node.yml"), ""));
            }
            for (ChildGateway node : nodes) {
                node.awaitLine("ready after");
            }
            startTraffic();
            activate(operator, two);
            allServe(APPLIED_WITHIN, "two");

            int leader = cluster.leader();
            cluster.signal(leader, "KILL");
            eventually(() -> activate(operator, one));
            allServe(AFTER_RETURN, "one");

            int other = (leader + 1) % 3;
            cluster.signal(other, "KILL");
            for (ChildGateway node : nodes) {
                node.awaitLine("the store does not respond");
            }
            allServe(APPLIED_WITHIN, "one");
            cluster.restart(leader);
            cluster.restart(other);
            eventually(() -> activate(operator, two));
            allServe(AFTER_RETURN, "two");

            eventually(() -> assertThat(responses.get()).as("%s", failures).isGreaterThan(NODES * 100));
            ended.set(true);
            for (Thread client : clients) {
                client.join();
            }
            assertThat(failures).isEmpty();
        } finally {
            ended.set(true);
            for (ChildGateway node : nodes) {
                node.close();
            }
        }
    }
}
