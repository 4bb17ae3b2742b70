package dev.lychgate.server.reload;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.admin.RolloutControl.State;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Restarts while the files on disk belong to a candidate. */
@Tag("slow")
class RolloutRestartTest {
    private static final String MANUAL =
            "{ steps: [0.0001%], hold: 1h, include: [{ headers: { x-canary: \"yes\" } }] }";
    private static final String CANARY = "x-canary: yes\r\n";

    @TempDir
    Path home = Path.of("");

    private RolloutFixture fixture() throws Exception {
        return new RolloutFixture(home, MANUAL);
    }

    /** Stops the gateway and starts it again with the files as they are. */
    private static void restart(RolloutFixture fixture) throws Exception {
        fixture.stop();
        fixture.start();
    }

    @Test
    void aRestartDuringARolloutServesTheStableGenerationAndBeginsTheRolloutAnew() throws Exception {
        try (RolloutFixture fixture = fixture().start()) {
            fixture.filter("it.response.headers['x-stamp'] = '2'");
            fixture.await(State.RUNNING);
            restart(fixture);
            assertThat(fixture.stamp("")).isEqualTo("1");
            fixture.await(State.RUNNING);
            assertThat(fixture.stamp(CANARY)).isEqualTo("2");
            assertThat(fixture.stamp("")).isEqualTo("1");
            assertThat(fixture.status().why()).isEqualTo("a restart interrupted the rollout");

            fixture.command("rollout", "promote");
            restart(fixture);
            assertThat(fixture.stamp("")).as("after the promotion").isEqualTo("2");
            assertThat(fixture.status().state()).isEqualTo(State.NONE);
        }
    }

    @Test
    void aRestartAfterAnAbortServesTheStableGenerationUntilAFileChanges() throws Exception {
        try (RolloutFixture fixture = fixture().start()) {
            fixture.filter("it.response.headers['x-stamp'] = '2'");
            fixture.await(State.RUNNING);
            fixture.command("rollout", "abort");
            restart(fixture);
            assertThat(fixture.status().state()).isEqualTo(State.ABORTED);
            assertThat(fixture.status().reason()).contains("before the restart", "ordered by an operator");
            assertThat(fixture.stamp(CANARY)).isEqualTo("1");

            fixture.filter("it.response.headers['x-stamp'] = '3'");
            fixture.await(State.RUNNING);
            assertThat(fixture.stamp(CANARY)).isEqualTo("3");
        }
    }

    @Test
    void aRequestedReloadTriesAnAbortedChangeAgainAfterARestart() throws Exception {
        try (RolloutFixture fixture = fixture().start()) {
            fixture.filter("it.response.headers['x-stamp'] = '2'");
            fixture.await(State.RUNNING);
            fixture.command("rollout", "abort");
            restart(fixture);
            assertThat(fixture.command("reload")).contains("is a candidate");
            assertThat(fixture.stamp(CANARY)).isEqualTo("2");
        }
    }

    @Test
    void theConfigurationAndItsIncludedFilesAreThoseOfTheStableGeneration() throws Exception {
        try (RolloutFixture fixture = fixture()) {
            Path main = home.resolve("gateway.yml");
            Path more = Files.createDirectories(home.resolve("more")).resolve("routes.yml");
            String respond = "routes: [{ id: all, match: { path: \"/**\" }, respond: { status: %d } }]\n";
            RolloutFixture.write(more, respond.formatted(200));
            RolloutFixture.write(main, Files.readString(main).replaceAll("routes: .*\n", "include: more/*.yml\n"));
            fixture.start();
            RolloutFixture.write(more, respond.formatted(204));
            fixture.await(State.RUNNING);
            restart(fixture);
            assertThat(fixture.status().candidate()).isIn(0L, 2L);
            assertThat(fixture.files()
                            .gateway()
                            .generation()
                            .config()
                            .routes()
                            .get(0)
                            .toString())
                    .contains("200")
                    .doesNotContain("204");
            fixture.await(State.RUNNING);
        }
    }

    @Test
    void valuesOfTheEnvironmentAreNotWritten() throws Exception {
        try (RolloutFixture fixture = fixture()) {
            Path main = home.resolve("gateway.yml");
            RolloutFixture.write(
                    main, Files.readString(main).replace("filters: {", "filters: { trace: { secret: \"${SECRET}\" },"));
            fixture.start(name -> name.equals("SECRET") ? "swordfish-swordfish" : null);
            fixture.filter("it.response.headers['x-stamp'] = '2'");
            fixture.await(State.RUNNING);
            String journal = Files.readString(RolloutJournal.beside(main).file(), StandardCharsets.ISO_8859_1);
            assertThat(journal).contains("${SECRET}").doesNotContain("swordfish");
        }
    }

    @Test
    void otherFilesThanThoseOfTheCandidateTakeEffectAtTheStart() throws Exception {
        try (RolloutFixture fixture = fixture().start()) {
            fixture.filter("it.response.headers['x-stamp'] = '2'");
            fixture.await(State.RUNNING);
            fixture.stop();
            fixture.filter("it.response.headers['x-stamp'] = '3'");
            fixture.start();
            assertThat(fixture.stamp("")).isEqualTo("3");
            assertThat(RolloutJournal.beside(home.resolve("gateway.yml")).file())
                    .doesNotExist();
        }
    }

    @Test
    void aDamagedJournalIsIgnored() throws Exception {
        try (RolloutFixture fixture = fixture().start()) {
            fixture.filter("it.response.headers['x-stamp'] = '2'");
            fixture.await(State.RUNNING);
            fixture.stop();
            Path journal = RolloutJournal.beside(home.resolve("gateway.yml")).file();
            byte[] bytes = Files.readAllBytes(journal);
            bytes[bytes.length / 2] ^= 1;
            Files.write(journal, bytes);
            fixture.start();
            assertThat(fixture.stamp("")).isEqualTo("2");
        }
    }

    @Test
    void aCommentInTheFilesOfTheCandidateLeavesTheRolloutToARestart() throws Exception {
        try (RolloutFixture fixture = fixture().start()) {
            fixture.filter("it.response.headers['x-stamp'] = '2'");
            fixture.await(State.RUNNING);
            Path main = home.resolve("gateway.yml");
            String before = candidate(main);
            RolloutFixture.write(main, Files.readString(main) + "# a comment\n");
            eventually(() -> assertThat(candidate(main)).isNotEqualTo(before));
            restart(fixture);
            assertThat(fixture.stamp("")).isEqualTo("1");
            fixture.await(State.RUNNING);
        }
    }

    private static String candidate(Path config) {
        return Objects.requireNonNull(RolloutJournal.beside(config).read(config))
                .candidate();
    }

    @Test
    void aRollbackAfterAnAbortOutlivesTheRestart() throws Exception {
        try (RolloutFixture fixture = fixture().start()) {
            fixture.filter("it.response.headers['x-stamp'] = '2'");
            fixture.await(State.RUNNING);
            fixture.command("rollout", "promote");
            fixture.filter("it.response.headers['x-stamp'] = '3'");
            fixture.await(State.RUNNING);
            fixture.command("rollback", "1");
            restart(fixture);
            assertThat(fixture.stamp(CANARY)).isEqualTo("1");
            assertThat(fixture.status().state()).isEqualTo(State.ABORTED);
        }
    }
}
