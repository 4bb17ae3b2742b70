package dev.lychgate.server.reload;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.server.admin.Generations.Outcome;
import dev.lychgate.server.metrics.PrometheusText;
import dev.lychgate.server.recording.RecordingReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recorded exchanges are replayed through the running and the changed files before a change takes effect. */
@Tag("slow")
class GateReplayTest {
    private static final String SPINS = "dev.lychgate.replay.spins";

    @TempDir
    Path home = Path.of("");

    /**
     * Starts a gateway that records all exchanges.
     *
     * @param replay the value of {@code gate.replay}
     */
    private GatedGateway started(String replay, String... filters) throws Exception {
        return new GatedGateway(home, gate(replay), filters);
    }

    private static String gate(String replay) {
        return "replay: " + replay + " }\nrecord: { file: traffic.rec, rules: [{}]";
    }

    /** Sends requests, which have the stamp of the running filter, and waits until they are recorded. */
    private void record(GatedGateway gateway, int count) throws Exception {
        int before = recorded();
        for (int i = 0; i < count; i++) {
            gateway.served();
        }
        eventually(() -> assertThat(recorded()).isEqualTo(before + count));
    }

    private int recorded() throws IOException {
        Path file = home.resolve("traffic.rec");
        int count = 0;
        if (Files.exists(file)) {
            try (RecordingReader reader = RecordingReader.open(file, null)) {
                while (reader.nextLine() != null) {
                    count++;
                }
            }
        }
        return count;
    }

    @Test
    void refusesAChangeThatAltersRecordedExchangesAndNamesTheFilter() throws Exception {
        try (GatedGateway gateway = started("require")) {
            record(gateway, 20);
            gateway.stamp(2);

            assertThat(gateway.refused())
                    .anySatisfy(line -> assertThat(line)
                            .startsWith(
                                    "outbound/Stamp.groovy: gate.replay: outbound Stamp: x-stamp differs, in 20 of 20 "
                                            + "replayed exchanges, such as GET /, request "))
                    .anySatisfy(line -> assertThat(line).contains("gate.replay: header x-stamp differs, in 20 of 20 "))
                    .hasSize(2);
            assertThat(gateway.served()).isEqualTo("1");

            gateway.configure(gate("warn"));
            assertThat(gateway.reload()).isInstanceOf(Outcome.Taken.class);
            assertThat(gateway.served()).isEqualTo("2");
            assertThat(gateway.logged())
                    .anyMatch(line ->
                            line.contains("x-stamp differs, in ") && line.endsWith("takes effect nevertheless"));
        }
    }

    @Test
    void aChangeWithTheSameEffectPasses() throws Exception {
        try (GatedGateway gateway = started("require")) {
            record(gateway, 5);
            gateway.write(
                    GatedGateway.STAMP,
                    "filter { exchange -> exchange.response.headers['x-stamp'] = String.valueOf(1) }");

            assertThat(gateway.reload()).isInstanceOf(Outcome.Taken.class);
            assertThat(gateway.logged())
                    .anyMatch(line -> line.startsWith("gate: 5 of 5 recorded exchanges replayed, 0 differ; "));
        }
    }

    @Test
    void aDryRunReplaysWithoutAChange() throws Exception {
        try (GatedGateway gateway = started("require")) {
            record(gateway, 3);
            gateway.stamp(2);

            assertThat(gateway.ask("POST", "/reload?dry-run=true").body()).contains("x-stamp differs, in 3 of 3");
            assertThat(gateway.served()).isEqualTo("1");
        }
    }

    @Test
    void reportsAnotherRouteAndStatus() throws Exception {
        try (GatedGateway gateway = started("require")) {
            record(gateway, 3);
            String config = Files.readString(gateway.config());
            Files.writeString(
                    gateway.config(),
                    config.replace(
                            "routes: [", "routes: [{ id: gone, match: { path: \"/\" }, respond: { status: 410 } }, "));

            assertThat(gateway.refused())
                    .anyMatch(line -> line.contains("gateway.yml: gate.replay: route: all -> gone, in 3 of 3 "))
                    .anyMatch(line -> line.contains("gate.replay: status: 200 -> 410, in 3 of 3 "));
        }
    }

    @Test
    void reportsAFilterThatFails() throws Exception {
        try (GatedGateway gateway = started("require")) {
            record(gateway, 3);
            gateway.write("inbound/New.groovy", "filter { throw new IllegalStateException('planted') }");

            assertThat(gateway.refused())
                    .anyMatch(line -> line.startsWith(
                            "inbound/New.groovy: gate.replay: global New: run: none -> fail internal, in 3 of 3 "))
                    .anyMatch(line -> line.contains("gate.replay: status: 200 -> 500, in 3 of 3 "));
            // The failures of a replay are none of requests.
            assertThat(gateway.logged()).noneMatch(line -> line.contains("planted"));
        }
    }

    /** The third request of each state is refused, in production as in both replays of the running filters. */
    @Test
    void stateBelongsToTheReplay() throws Exception {
        String counts = "def count = shared('count') { new java.util.concurrent.atomic.AtomicInteger() }\n"
                + "filter { if (count.incrementAndGet() % 3 == 0) it.respond(429) }";
        try (GatedGateway gateway = started("require", "inbound/Count.groovy", counts)) {
            record(gateway, 8);
            gateway.write("inbound/Other.groovy", "filter { }");

            assertThat(gateway.refused())
                    .singleElement()
                    .asString()
                    .contains("global Other: run: none -> proceed, in 6 of 8 ");
            assertThat(gateway.response().status())
                    .as("the ninth request of the running filter")
                    .isEqualTo(429);
        }
    }

    @Test
    void exchangesThatAReplayCannotReproduceAreNotCompared() throws Exception {
        String random = "filter { it.request.headers['x-id'] = System.nanoTime().toString() }";
        try (GatedGateway gateway = started("require", "inbound/Random.groovy", random)) {
            record(gateway, 4);
            gateway.stamp(2);

            assertThat(gateway.reload()).isInstanceOf(Outcome.Taken.class);
            assertThat(gateway.logged())
                    .anyMatch(line -> line.startsWith(
                            "gate: 0 of 4 recorded exchanges replayed, 0 differ; 4 are not reproducible"));
        }
    }

    @Test
    void abandonsAFilterThatNeverReturnsWhileRequestsContinue() throws Exception {
        try (GatedGateway gateway = started("require, timeout: 2s")) {
            record(gateway, 3);
            System.setProperty(SPINS, "true");
            gateway.write(
                    GatedGateway.STAMP,
                    "filter { while (System.getProperty('" + SPINS + "') != null) { Thread.onSpinWait() } }");
            CompletableFuture<Outcome> reloaded = CompletableFuture.supplyAsync(gateway::reload);
            while (!reloaded.isDone()) {
                assertThat(gateway.served()).isEqualTo("1");
            }

            assertThat(((Outcome.Refused) reloaded.join()).faults())
                    .singleElement()
                    .asString()
                    .contains("gate.replay: the replay was abandoned: GET /, request ")
                    .endsWith("did not end within 2s");
            assertThat(abandoned(gateway)).isEqualTo(1);
            System.clearProperty(SPINS);
            eventually(() -> assertThat(abandoned(gateway)).isZero());
        } finally {
            System.clearProperty(SPINS);
        }
    }

    private static double abandoned(GatedGateway gateway) throws Exception {
        return PrometheusText.read(gateway.ask("GET", "/metrics").body()).value("lychgate_gate_tests_abandoned");
    }

    @Test
    void onlyTheLastExchangesAreReplayed() throws Exception {
        try (GatedGateway gateway = started("require, exchanges: 7")) {
            record(gateway, 20);
            gateway.stamp(2);

            assertThat(gateway.refused()).allMatch(line -> line.contains(", in 7 of 7 replayed exchanges"));
        }
    }

    @Test
    void aDamagedRecordingPreventsNoChange() throws Exception {
        try (GatedGateway gateway = started("require")) {
            Files.writeString(home.resolve("traffic.rec.1"), "x".repeat(100));
            gateway.stamp(2);

            assertThat(gateway.reload()).isInstanceOf(Outcome.Taken.class);
            assertThat(gateway.logged())
                    .anyMatch(
                            line -> line.startsWith("gate: no exchange is replayed and the change is accepted, because"
                                    + " the recording can't be read: "));
        }
    }

    @Test
    void aReplayNeedsARecording() {
        assertThatThrownBy(() -> new GatedGateway(home, "replay: warn").close())
                .hasMessageContaining(
                        "gate.replay: warn (expected: off, or a section 'record', which records the exchanges for the replay)");
    }

    @Test
    void classesAndThreadsOfReplaysAreReleased() throws Exception {
        String counted = GatedGateway.COUNTED + "(getClass())\nfilter { it.response.headers['x-stamp'] = '%d' }";
        try (GatedGateway gateway = started("require")) {
            record(gateway, 2);
            for (int i = 0; i < 20; i++) {
                gateway.write(GatedGateway.STAMP, counted.formatted(i + 2));
                assertThat(gateway.refused()).isNotEmpty();
            }
            assertThat(gateway.classes(6)).isLessThanOrEqualTo(6);
            eventually(() -> assertThat(abandoned(gateway)).isZero());
        }
    }
}
