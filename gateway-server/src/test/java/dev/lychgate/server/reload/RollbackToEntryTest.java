package dev.lychgate.server.reload;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.history.Change;
import dev.lychgate.server.history.Entry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rollbacks to the files of an entry of the history, also after a restart. */
@Tag("slow")
class RollbackToEntryTest extends RecordedGateway {
    @Test
    void aRollbackToAnEntryRestoresItsFilesAfterARestart() throws Exception {
        start();
        stamp("2");
        await("reload", "accepted");
        RolloutFixture.write(
                home.resolve("more/routes.yml"),
                "routes: [{ id: all, match: { path: \"/**\" }, respond: { status: 204 } }]\n");
        eventually(() -> assertThat(entries()).hasSize(3));
        restart();
        await("start", "accepted");
        assertThat(stamped()).isEqualTo("2");

        assertThat(command(ALICE, "rollback", "--to", "1")).startsWith("0:");
        assertThat(stamped()).isEqualTo("1");
        Change back = await("rollback", "accepted");
        assertThat(back.author().operator()).isEqualTo("alice");
        assertThat(back.reason()).isEqualTo("rollback to entry 1 of the history");
        assertThat(back.kept())
                .as("the files of entry 1")
                .isEqualTo(entries().get(entries().size() - 1).change().kept());
        assertThat(back.files())
                .extracting(file -> file.path())
                .containsExactlyInAnyOrder("filters:outbound/stamp.groovy", "more/routes.yml");
        assertThat(files().reloader().isPinned()).isTrue();
        assertThat(command(ALICE, "rollback", "--to", "2")).startsWith("0:");
        assertThat(stamped()).isEqualTo("2");
        assertOnlyTheUserReads(home.resolve(".lychgate"));

        stamp("3");
        restart();
        assertThat(stamped()).as("a restart reads the files").isEqualTo("3");
    }

    @Test
    void aRollbackToAnEntryOfThisProcessReusesItsGeneration() throws Exception {
        start();
        stamp("2");
        await("reload", "accepted");
        assertThat(command(ALICE, "rollback", "--to", "1")).startsWith("0:");
        assertThat(stamped()).isEqualTo("1");
        assertThat(command(ALICE, "rollback", "--to", "2")).startsWith("0:");
        assertThat(stamped()).isEqualTo("2");
        assertThat(files().reloader().kept()).hasSize(2);
    }

    @Test
    void aRollbackToFilesThatAreNotKeptIsRefused() throws Exception {
        configure("history: { generations: 2 }");
        start();
        for (int i = 2; i < 5; i++) {
            stamp(Integer.toString(i));
            int number = i;
            eventually(() -> assertThat(entries()).hasSize(number));
        }
        admin(ALICE, "POST /log?logger=test&level=debug");
        await("log", "accepted");
        // Five generations are in memory, but a restart knows only the kept files.
        restart();
        assertThat(command(ALICE, "rollback", "--to", "1")).startsWith("1: ").contains("is no longer kept");
        assertThat(command(ALICE, "rollback", "--to", "5")).startsWith("1: ").contains("has no files");
        assertThat(command(ALICE, "rollback", "--to", "999")).startsWith("1: ").contains("does not exist");
        assertThat(command(ALICE, "rollback", "--to", "3")).startsWith("0:");
        assertThat(stamped()).isEqualTo("3");
        assertThat(admin(ALICE, "POST /rollback").status()).isEqualTo(400);
        assertThat(admin(ALICE, "POST /rollback?generation=1&entry=1").status()).isEqualTo(400);
    }

    @Test
    void aReplayUsesTheFilesOfAnEarlierGenerationBesideTheRunningGateway() throws Exception {
        start();
        stamp("2");
        await("reload", "accepted");
        Path archive = Files.writeString(home.resolve("a.har"), """
                {"log": {"entries": [{"startedDateTime": "2026-11-26T16:00:00Z",
                  "request": {"method": "GET", "url": "https://shop.example/orders", "headers": []},
                  "response": {"status": 200, "headers": [], "content": {}}}]}}
                """);
        String recording = home.resolve("traffic.rec").toString();
        assertThat(offline("record", "import", archive.toString(), recording)).startsWith("0:");

        assertThat(replay(recording, 1)).startsWith("0:").contains("x-stamp: none -> 1");
        assertThat(replay(recording, 2)).startsWith("0:").contains("x-stamp: none -> 2");
        assertThat(replay(recording, 9)).startsWith("2:").contains("has no files of generation 9");
        assertThat(home.resolve(".lychgate/kept-gateway.yml/restored"))
                .as("directories of the running gateway")
                .doesNotExist();
        assertThat(stamped()).isEqualTo("2");
    }

    private String replay(String recording, int generation) {
        return offline(
                "replay", recording, "--config", config().toString(), "--generation", Integer.toString(generation));
    }

    @Test
    void aChangedCopyIsNotRestored() throws Exception {
        start();
        stamp("2");
        await("reload", "accepted");
        restart();
        Path kept = home.resolve(".lychgate/kept-gateway.yml/files");
        List<Entry> entries = entries();
        String digest = entries.get(entries.size() - 1).change().files().stream()
                .filter(file -> file.path().startsWith("filters:"))
                .findFirst()
                .orElseThrow()
                .sha256();
        Files.writeString(kept.resolve(digest), "filter { it.response.headers['x-stamp'] = 'evil' }\n");
        assertThat(command(ALICE, "rollback", "--to", "1")).startsWith("1: ").contains("was changed");
        assertThat(stamped()).isEqualTo("2");
        await("rollback", "refused");
    }

    private static void assertOnlyTheUserReads(Path directory) throws Exception {
        for (String name :
                List.of("kept-gateway.yml", "history-gateway.yml.jsonl", ".history-gateway.yml.jsonl.lock")) {
            try (Stream<Path> all = Files.walk(directory.resolve(name))) {
                for (Path each : all.toList()) {
                    assertThat(Files.getPosixFilePermissions(each).toString())
                            .as(each.toString())
                            .doesNotContain("GROUP", "OTHERS");
                }
            }
        }
    }

    @Test
    void anEntryThatNamesTheFilesOfAnotherIsNotRestored() throws Exception {
        start();
        stamp("2");
        await("reload", "accepted");
        stop();
        List<Entry> all = entries();
        String first = all.get(all.size() - 1).change().kept();
        String second = all.get(all.size() - 2).change().kept();
        Files.writeString(file(), Files.readString(file()).replace(first, second));
        start();
        assertThat(command(ALICE, "rollback", "--to", "1"))
                .startsWith("1: ")
                .contains("the files of entry 1 of the history are not kept: the stored list does not match the entry");
        assertThat(offline("history", "verify", file().toString())).startsWith("1: ");
        assertThat(stamped()).isEqualTo("2");
    }
}
