package dev.lychgate;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.cli.LychgateCommand;
import dev.lychgate.server.cli.Signals;
import dev.lychgate.server.cli.Surroundings;
import dev.lychgate.server.engine.DataPlaneEngine;
import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One recorded failure of a running gateway, requested from another machine and replayed there. */
@Tag("slow")
class FetchedRecordingTest {
    private static final String RECORDER = "only-recordings-0123456789";
    private static final String VIEWER = "no-data-of-clients-0123456789";
    /** A replay builds all filters. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    Path home = Path.of("");

    @SuppressWarnings("NullAway.Init")
    private FileGateway<Lychgate> running;

    private record Ended(int code, String out) {}

    @AfterEach
    void stop() {
        running.gateway().close();
        running.close();
    }

    private void start(String record) throws Exception {
        Path filter = home.resolve("filters/inbound/Draw.groovy");
        Files.createDirectories(filter.getParent());
        Files.writeString(filter, """
                filter { exchange ->
                    throw new IllegalStateException("draw ${exchange.random.nextInt(1000)}")
                }
                """);
        Files.writeString(
                home.resolve("gateway.yml"), """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                watch: off
                admin:
                  address: "127.0.0.1:0"
                  operators:
                    - { name: laptop, token: %s, roles: [recorder] }
                    - { name: wall, token: %s }
                filters: { directory: filters }
                routes: [{ id: shop, match: { path: "/**" }, upstream: shop }]
                upstreams: { shop: { endpoints: ["http://127.0.0.1:9"] } }
                %s
                """.formatted(RECORDER, VIEWER, record.replace("HOME", home.toString())));
        running = FileGateway.start(home.resolve("gateway.yml"), name -> null, Lychgate::start);
    }

    private String failure() throws Exception {
        try (RawClient client = RawClient.connect(new InetSocketAddress(
                InetAddress.getLoopbackAddress(), running.gateway().port("main")))) {
            RawMessage response = client.get("/");
            assertThat(response.status()).isEqualTo(500);
            return response.body().replaceFirst("(?s).*([0-9a-f]{24}).*", "$1");
        }
    }

    private String admin() {
        return "127.0.0.1:" + running.gateway().adminPort();
    }

    private Ended run(String token, String... words) {
        StringWriter out = new StringWriter();
        Map<String, String> environment = Map.of("LYCHGATE_ADMIN_TOKEN", token);
        Surroundings surroundings = new Surroundings(
                new DataPlaneEngine(),
                environment::get,
                new PrintWriter(out),
                new PrintWriter(out),
                thread -> {},
                Signals.NONE);
        return new Ended(LychgateCommand.execute(surroundings, words), out.toString());
    }

    private Ended replay(String what, String... more) {
        List<String> words = new ArrayList<>(
                List.of("replay", what, "--config", home.resolve("gateway.yml").toString()));
        words.addAll(List.of(more));
        return run(RECORDER, words.toArray(String[]::new));
    }

    @Test
    void oneFailureIsReplayedByItsId() throws Exception {
        start("record: { file: \"HOME/traffic.rec\" }");
        failure();
        String id = failure();

        eventually(PATIENCE, () -> {
            Ended replayed = replay(id, "--from", admin());
            assertThat(replayed.out())
                    .contains(id)
                    .contains("global Draw: fail internal", "same as recorded")
                    .contains("1 exchange replayed, 0 different");
            assertThat(replayed.code()).isZero();
        });
    }

    @Test
    void aChangedFilterIsReported() throws Exception {
        start("record: { file: \"HOME/traffic.rec\" }");
        String id = failure();
        Files.writeString(home.resolve("filters/inbound/Draw.groovy"), "filter { }\n");

        eventually(PATIENCE, () -> {
            Ended replayed = replay(id, "--from", admin(), "--diff");
            assertThat(replayed.out()).contains("outcome: fail internal -> proceed");
            assertThat(replayed.code()).isEqualTo(1);
        });
    }

    @Test
    void oneFailureOfAnEncryptedRecordingIsSaved() throws Exception {
        Files.writeString(home.resolve("record.key"), "b".repeat(64) + "\n");
        start("record: { file: \"HOME/traffic.rec\", encrypt: \"HOME/record.key\" }");
        String id = failure();
        String saved = home.resolve("failure.rec").toString();

        eventually(PATIENCE, () -> {
            Ended ended = run(RECORDER, "trace", id, "--save", saved, "--admin", admin());
            assertThat(ended.out()).contains("saved in " + saved);
            assertThat(ended.code()).isZero();
        });
        Ended shown = run(RECORDER, "record", "show", saved);
        assertThat(shown.out().lines()).singleElement().asString().startsWith("{\"id\":\"" + id + "\"");
        assertThat(replay(saved).out()).contains("1 exchange replayed, 0 different");
    }

    @Test
    void theRoleOfARecorderIsRequired() throws Exception {
        start("record: { file: \"HOME/traffic.rec\" }");
        String saved = home.resolve("failure.rec").toString();

        Ended ended = run(VIEWER, "trace", failure(), "--save", saved, "--admin", admin());

        assertThat(ended.out()).contains("requires the role recorder");
        assertThat(ended.code()).isEqualTo(1);
        assertThat(Path.of(saved)).doesNotExist();
    }

    @Test
    void unknownExchangesAndGatewaysWithoutRecordingAreNamed() throws Exception {
        start("record: { file: \"HOME/traffic.rec\" }");
        Ended unknown = replay("unknown", "--from", admin());
        assertThat(unknown.out()).contains("the recording has no exchange with that id");
        assertThat(unknown.code()).isEqualTo(2);
        stop();

        start("");
        Ended without = replay("unknown", "--from", admin());
        assertThat(without.out()).contains("this gateway does not record exchanges");
        assertThat(without.code()).isEqualTo(2);
    }

    @Test
    void optionsOfFilesAreRefusedBesideFrom() throws Exception {
        start("");

        assertThat(replay("x", "--from", admin(), "--id", "y").code()).isEqualTo(64);
        assertThat(replay("x", "--from", "127.0.0.1").code()).isEqualTo(64);
        assertThat(run(RECORDER, "trace", "--save", "x.rec", "--admin", admin()).code())
                .isEqualTo(64);
    }
}
