package dev.lychgate.server.reload;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.Lychgate;
import dev.lychgate.server.admin.RolloutControl.State;
import dev.lychgate.server.admin.RolloutControl.Status;
import dev.lychgate.server.engine.DataPlaneEngine;
import dev.lychgate.server.yaml.Environment;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** A gateway that watches its files, rolls changes out, and serves every request itself. */
final class RolloutFixture implements AutoCloseable {
    private final Path home;
    private final Path config;
    private @Nullable FileGateway<Lychgate> files;

    RolloutFixture(Path home, String rollout) throws Exception {
        this.home = home;
        this.config = home.resolve("gateway.yml");
        Files.createDirectories(home.resolve("filters/outbound"));
        configure(rollout);
        filter("it.response.headers['x-stamp'] = '1'");
    }

    void configure(String rollout) throws Exception {
        write(config, """
            listeners: [{ name: main, address: "127.0.0.1:0" }]
            admin: { address: "127.0.0.1:0" }
            filters: { directory: filters }
            routes: [{ id: all, match: { path: "/**" }, respond: { status: 200 } }]
            access-log: { format: off }
            rollout: %s
            """.formatted(rollout));
    }

    /** Writes the only filter, which runs for each response. */
    void filter(String code) throws Exception {
        write(home.resolve("filters/outbound/stamp.groovy"), "failClosed()\nfilter { " + code + " }\n");
    }

    static void write(Path file, String text) throws Exception {
        Path whole = Files.writeString(file.resolveSibling("." + file.getFileName() + ".new"), text);
        Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
    }

    RolloutFixture start() throws Exception {
        return start(name -> null);
    }

    RolloutFixture start(Environment environment) throws Exception {
        files = FileGateway.start(config, environment, Lychgate::start);
        return this;
    }

    FileGateway<Lychgate> files() {
        FileGateway<Lychgate> running = files;
        if (running == null) {
            throw new AssertionError("not started");
        }
        return running;
    }

    Status status() {
        return files().reloader().rollouts().status();
    }

    void await(State state) throws Exception {
        eventually(() -> assertThat(status().state()).as(status().reason()).isEqualTo(state));
    }

    private RawClient connect(int port) throws IOException {
        return RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /**
     * Returns the stamp of a response.
     *
     * @param fields further header fields, each with a line end
     */
    String stamp(String fields) throws Exception {
        try (RawClient client = connect(files().gateway().port("main"))) {
            return client.send("GET / HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n")
                    .readResponse()
                    .value("x-stamp")
                    .orElse("none");
        }
    }

    RawMessage admin(String method, String target) throws Exception {
        try (RawClient client = connect(files().gateway().adminPort())) {
            return client.send(method + " " + target
                            + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\nx-lychgate-admin: test\r\n\r\n")
                    .readResponse();
        }
    }

    /**
     * Runs a command against the admin listener.
     *
     * @return the exit code, and the output of both streams
     */
    String command(String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--admin", "127.0.0.1:" + files().gateway().adminPort()));
        return Commands.run(new DataPlaneEngine(), all.toArray(String[]::new));
    }

    /** Sends requests on several connections until it is closed, and counts the stamps and statuses of the responses. */
    final class Load implements AutoCloseable {
        private final AtomicBoolean ends = new AtomicBoolean();
        private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
        /** The number of responses with the stamp 1 before the first other response; -1 if there was none. */
        private final AtomicLong beforeOthers = new AtomicLong(-1);

        private final List<Thread> threads = new ArrayList<>();
        private final List<Throwable> failures = new ArrayList<>();

        Load(int connections) throws IOException {
            for (int i = 0; i < connections; i++) {
                RawClient client = connect(files().gateway().port("main"));
                Thread thread = new Thread(() -> run(client), "test-load");
                thread.setDaemon(true);
                thread.start();
                threads.add(thread);
            }
        }

        private void run(RawClient client) {
            try (client) {
                while (!ends.get()) {
                    RawMessage response = client.get("/");
                    String what = response.status() == 200
                            ? "stamp " + response.value("x-stamp").orElse("none")
                            : "status " + response.status();
                    if (!what.equals("stamp 1")) {
                        beforeOthers.compareAndSet(-1, count("stamp 1"));
                    }
                    counts.computeIfAbsent(what, key -> new LongAdder()).increment();
                }
            } catch (IOException | RuntimeException | AssertionError e) {
                synchronized (failures) {
                    failures.add(e);
                }
            }
        }

        long count(String what) {
            LongAdder count = counts.get(what);
            return count == null ? 0 : count.sum();
        }

        /** Returns the number of responses with the stamp 1 since the first other response. */
        long countBesideOthers() {
            return count("stamp 1") - beforeOthers.get();
        }

        /** Ends the requests, all of which got a response. */
        void end() throws InterruptedException {
            ends.set(true);
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(failures).isEmpty();
        }

        @Override
        public void close() {
            ends.set(true);
        }
    }

    @Override
    public void close() {
        stop();
    }

    /** Stops the gateway; it may be started again. */
    void stop() {
        FileGateway<Lychgate> running = files;
        files = null;
        if (running != null) {
            running.gateway().close();
            running.close();
        }
    }
}
