package dev.lychgate.server.reload;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.Lychgate;
import dev.lychgate.server.admin.RolloutControl.State;
import dev.lychgate.server.admin.RolloutControl.Status;
import dev.lychgate.server.engine.DataPlaneEngine;
import dev.lychgate.server.shadow.DecisionGroup;
import dev.lychgate.server.shadow.ShadowReport;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A gateway with an origin, whose changes are candidates with a shadow. */
final class ShadowFixture implements AutoCloseable {
    /** Compares all requests, and never begins the first step by itself. */
    static final String ALL = "{ share: 100%, hold: 1h }";

    private final Path home;
    private final ScriptedOrigin origin;
    private final AtomicInteger requests = new AtomicInteger();
    private @Nullable FileGateway<Lychgate> files;

    ShadowFixture(Path home) throws Exception {
        this.home = home;
        this.origin = ScriptedOrigin.answeringWhoStays((request, connection) -> {
            requests.incrementAndGet();
            connection.send(Responses.ok(""));
        });
        Files.createDirectories(home.resolve("filters/inbound"));
        Files.createDirectories(home.resolve("filters/endpoint"));
    }

    void configure(String shadow, String routes) throws Exception {
        RolloutFixture.write(home.resolve("gateway.yml"), """
            listeners: [{ name: main, address: "127.0.0.1:0" }]
            admin: { address: "127.0.0.1:0" }
            watch: off
            filters: { directory: filters }
            access-log: { format: off }
            upstreams:
              a: { endpoints: ["http://127.0.0.1:%d"] }
              b: { endpoints: ["http://127.0.0.1:%d"] }
            routes: %s
            rollout: { steps: [1%%], hold: 1h, shadow: %s }
            """.formatted(origin.port(), origin.port(), routes, shadow));
    }

    /** Writes a filter; {@code name} has its phase: {@code inbound/Auth}. */
    void filter(String name, String code) throws Exception {
        RolloutFixture.write(home.resolve("filters/" + name + ".groovy"), code + "\n");
    }

    void start() throws Exception {
        files = FileGateway.start(home.resolve("gateway.yml"), name -> null, Lychgate::start);
    }

    FileGateway<Lychgate> files() {
        return Objects.requireNonNull(files);
    }

    /** Returns the number of requests and call-outs that the origin has received. */
    int requests() {
        return requests.get();
    }

    RawClient client() throws Exception {
        return RawClient.connect(new InetSocketAddress(
                InetAddress.getLoopbackAddress(), files().gateway().port("main")));
    }

    RawMessage admin(String target) throws Exception {
        try (RawClient client = RawClient.connect(new InetSocketAddress(
                InetAddress.getLoopbackAddress(), files().gateway().adminPort()))) {
            return client.send("GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                    .readResponse();
        }
    }

    String command(String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--admin", "127.0.0.1:" + files().gateway().adminPort()));
        return Commands.run(new DataPlaneEngine(), all.toArray(String[]::new));
    }

    Status status() {
        return files().reloader().rollouts().status();
    }

    ShadowReport shadow() {
        return Objects.requireNonNull(status().shadow());
    }

    /** Reads the changed files, and waits until their shadow compares. */
    void change() throws Exception {
        long before = status().candidate();
        files().reloader().reload("test");
        eventually(() -> {
            assertThat(status().state()).isEqualTo(State.RUNNING);
            assertThat(status().candidate()).isGreaterThan(before);
            assertThat(shadow().state()).as(shadow().reason()).isEqualTo(ShadowReport.State.COMPARING);
        });
    }

    /** Waits until all {@code copies} have ended. */
    void await(int copies) throws Exception {
        eventually(
                Duration.ofSeconds(30),
                () -> assertThat(shadow().results().values().stream()
                                .mapToLong(Long::longValue)
                                .sum())
                        .as(shadow().summary())
                        .isEqualTo(copies));
    }

    /** Returns the groups in words, with their counts. */
    List<String> groups() {
        return shadow().groups().stream().map(DecisionGroup::toString).toList();
    }

    long result(String name) {
        return Objects.requireNonNull(shadow().results().get(name));
    }

    @Override
    public void close() {
        FileGateway<Lychgate> running = files;
        if (running != null) {
            running.gateway().close();
            running.close();
        }
        origin.close();
    }
}
