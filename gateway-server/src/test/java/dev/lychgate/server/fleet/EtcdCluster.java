package dev.lychgate.server.fleet;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.EtcdConfig;
import dev.lychgate.server.etcd.EtcdClient;
import dev.lychgate.server.json.JsonObject;
import dev.lychgate.server.terminal.JsonValue;
import dev.lychgate.testing.ScratchDirectory;
import dev.lychgate.testing.UnusedPort;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Processes of etcd on the loopback address, which form a cluster. */
public final class EtcdCluster implements AutoCloseable {
    public static final String MISSING = "no etcd is installed (apt-get install etcd-server)";

    private static final Duration START = Duration.ofSeconds(30);

    private final ScratchDirectory directory = ScratchDirectory.create();
    private final List<String> options;
    private final String scheme;
    private final List<Integer> clients = new ArrayList<>();
    private final List<Integer> peers = new ArrayList<>();
    private final List<@Nullable Process> members = new ArrayList<>();

    private EtcdCluster(int count, String scheme, List<String> options) throws IOException {
        this.options = options;
        this.scheme = scheme;
        for (int i = 0; i < count; i++) {
            clients.add(UnusedPort.number());
            peers.add(UnusedPort.number());
            members.add(null);
        }
        for (int i = 0; i < count; i++) {
            launch(i);
        }
    }

    /** Returns whether the program etcd can be run. */
    public static boolean isInstalled() {
        try {
            return new ProcessBuilder("etcd", "--version")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Starts a cluster without TLS, and waits until it has a leader. */
    public static EtcdCluster start(int count) throws Exception {
        EtcdCluster cluster = new EtcdCluster(count, "http", List.of());
        try (EtcdClient client = new EtcdClient(cluster.config(), "test-etcd")) {
            eventually(
                    START,
                    () -> client.call("/v3/kv/range", new JsonObject().with("key", "eA=="))
                            .get(5, TimeUnit.SECONDS));
        }
        return cluster;
    }

    /** Starts one member that listens with TLS. */
    static EtcdCluster startWithTls(String... options) throws Exception {
        return new EtcdCluster(1, "https", List.of(options));
    }

    private String peer(int member) {
        return "http://127.0.0.1:" + peers.get(member);
    }

    private void launch(int member) throws IOException {
        String all = IntStream.range(0, clients.size())
                .mapToObj(i -> "m" + i + "=" + peer(i))
                .collect(Collectors.joining(","));
        List<String> command = new ArrayList<>(List.of("etcd", "--name", "m" + member));
        command.addAll(
                List.of("--data-dir", directory.path().resolve("m" + member).toString()));
        command.addAll(List.of("--listen-client-urls", endpoint(member).toString()));
        command.addAll(List.of("--advertise-client-urls", endpoint(member).toString()));
        command.addAll(List.of("--listen-peer-urls", peer(member), "--initial-advertise-peer-urls", peer(member)));
        command.addAll(List.of("--initial-cluster", all, "--initial-cluster-state", "new"));
        command.addAll(options);
        members.set(
                member,
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(
                                directory.path().resolve("log" + member).toFile()))
                        .start());
    }

    URI endpoint(int member) {
        return URI.create(scheme + "://127.0.0.1:" + clients.get(member));
    }

    /** Returns the URLs of the members. */
    public List<URI> endpoints() {
        return IntStream.range(0, clients.size()).mapToObj(this::endpoint).toList();
    }

    EtcdConfig config() {
        return EtcdConfig.of(endpoints());
    }

    private JsonValue status(int member) throws Exception {
        try (EtcdClient client = new EtcdClient(EtcdConfig.of(List.of(endpoint(member))), "test-etcd")) {
            return client.call("/v3/maintenance/status", new JsonObject())
                    .get(5, TimeUnit.SECONDS)
                    .json();
        }
    }

    /** Waits until there is a leader, and returns the number of this member. */
    public int leader() throws Exception {
        AtomicInteger leader = new AtomicInteger();
        eventually(START, () -> leader.set(presentLeader()));
        return leader.get();
    }

    private int presentLeader() throws Exception {
        for (int i = 0; i < members.size(); i++) {
            JsonValue status = status(i);
            if (status.get("leader")
                    .raw()
                    .equals(status.get("header").get("member_id").raw())) {
                return i;
            }
        }
        throw new AssertionError("no leader");
    }

    /** Sends a signal to a member, such as STOP. */
    public void signal(int member, String name) throws Exception {
        Process process = members.get(member);
        assertThat(process).isNotNull();
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
        if (name.equals("KILL")) {
            assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** Starts a member again that was killed. */
    public void restart(int member) throws IOException {
        launch(member);
    }

    @Override
    public void close() throws IOException {
        for (Process member : members) {
            if (member != null) {
                member.destroyForcibly();
                // The directory of a running process cannot be deleted.
                member.onExit().join();
            }
        }
        directory.close();
    }
}
