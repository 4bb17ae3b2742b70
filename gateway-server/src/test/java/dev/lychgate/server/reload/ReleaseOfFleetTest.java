package dev.lychgate.server.reload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.Lychgate;
import dev.lychgate.server.admin.Generations.Outcome;
import dev.lychgate.server.admin.RolloutControl.State;
import dev.lychgate.server.fleet.ReleaseTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Releases of a fleet in a gateway that also watches its files and has a rollout. */
@Tag("slow")
class ReleaseOfFleetTest {
    /** Longer than the file watch needs to detect and report a change. */
    private static final long WATCHED_MS = 1_500;

    @TempDir
    Path home = Path.of("");

    @BeforeEach
    void writeFiles() throws Exception {
        Files.writeString(home.resolve("gateway.yml"), """
                admin: { address: "127.0.0.1:0" }
                fleet: { space: prod, store: { directory: store }, trust: release.pub, state: state }
                rollout: { steps: [50%, 100%], hold: 1h }
                """);
        release("one", "");
        release("two", "");
        link("one");
    }

    private void release(String name, String more) throws IOException {
        Path directory = Files.createDirectories(home.resolve("state/releases/" + name));
        Files.writeString(directory.resolve("gateway.yml"), """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                routes: [{ id: %s, respond: { status: 200 } }]
                access-log: { format: off }
                %s""".formatted(name, more));
    }

    private void link(String name) throws IOException {
        Path next = Files.createSymbolicLink(home.resolve("state/next"), Path.of("releases", name));
        Files.move(next, home.resolve("state/active"), StandardCopyOption.ATOMIC_MOVE);
    }

    private FileGateway<Lychgate> start() throws Exception {
        return FileGateway.start(home.resolve("gateway.yml"), name -> null, Lychgate::start);
    }

    private ReleaseTarget.Link to(String name) {
        return new ReleaseTarget.Link() {
            @Override
            public void activate() throws IOException {
                link(name);
                try {
                    TimeUnit.MILLISECONDS.sleep(WATCHED_MS);
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }

            @Override
            public void revert() throws IOException {
                link("one");
            }
        };
    }

    private static String routes(FileGateway<Lychgate> running) {
        return running.gateway().gateway().generation().config().routes().toString();
    }

    @Test
    void aReleaseIsOneChangeAndNoRollout() throws Exception {
        try (FileGateway<Lychgate> running = start()) {
            Outcome outcome = running.reloader().activate(to("two"), "fleet epoch 2", "alice");

            assertThat(outcome).isEqualTo(new Outcome.Taken(2));
            TimeUnit.MILLISECONDS.sleep(WATCHED_MS);
            assertThat(running.reloader().rollouts().status().state()).isEqualTo(State.NONE);
            assertThat(running.gateway().gateway().generation().number()).isEqualTo(2);
            assertThat(running.reloader().taken()).isEqualTo(1);
            assertThat(routes(running)).contains("id=two");
        }
    }

    @Test
    void aRefusedReleaseChangesNothing() throws Exception {
        release("two", "nonsense: 1\n");
        try (FileGateway<Lychgate> running = start()) {
            Outcome outcome = running.reloader().activate(to("two"), "fleet epoch 2", "alice");

            assertThat(outcome).isInstanceOf(Outcome.Refused.class);
            TimeUnit.MILLISECONDS.sleep(WATCHED_MS);
            assertThat(running.gateway().gateway().generation().number()).isEqualTo(1);
            assertThat(running.reloader().refused()).isEqualTo(1);
            assertThat(routes(running)).contains("id=one");
        }
    }

    @Test
    void aReleaseWithASectionFleetIsRefused() throws Exception {
        release("two", "fleet: { space: other, store: { directory: store }, trust: theirs.pub, state: elsewhere }\n");
        try (FileGateway<Lychgate> running = start()) {
            Outcome outcome = running.reloader().activate(to("two"), "fleet epoch 2", "alice");

            assertThat(outcome)
                    .isInstanceOfSatisfying(
                            Outcome.Refused.class,
                            refused -> assertThat(refused.faults())
                                    .singleElement()
                                    .asString()
                                    .contains("gateway.yml:4:1: fleet: set in an included file or a release"));
            assertThat(routes(running)).contains("id=one");
        }
    }
}
