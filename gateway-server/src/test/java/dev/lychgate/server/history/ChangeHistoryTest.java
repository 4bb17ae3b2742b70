package dev.lychgate.server.history;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.history.ChangeHistory.Query;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The entries of a history, and those that cannot be written or wait for a slow disk. */
class ChangeHistoryTest extends HistoryHome {
    @Test
    void continuesTheChainAfterARestart() throws Exception {
        record("a", "b");
        record("c");

        assertThat(reasons()).containsExactly("c", "b", "a");
        assertThat(verify().faults()).isEmpty();
        assertThat(verify().notes()).isEmpty();
        assertThat(verify().entries()).isEqualTo(3);
        assertThat(lines().get(0)).startsWith("{\"previous\":\"" + "0".repeat(64) + "\",\"number\":1,");
        assertThat(lines().get(1))
                .as("the digest of the line with its line feed, as sha256sum computes it")
                .startsWith("{\"previous\":\"" + Digest.of((lines().get(0) + "\n").getBytes(StandardCharsets.UTF_8))
                        + "\"");
    }

    @Test
    void keepsEveryMemberOfAnEntry() throws Exception {
        Change change = Change.of("reload", ALICE, "accepted", "why")
                .with(Map.of("rollout", "1%"))
                .between(3, 4)
                .of(List.of(
                        new ChangedFile("gateway.yml", "changed", "a".repeat(64)),
                        new ChangedFile("filters:inbound/A.groovy", "removed", "")))
                .keptAs("b".repeat(64))
                .lasting(12);
        try (ChangeHistory history = open()) {
            history.record(change);
        }
        assertThat(ChangeHistory.read(file(), NEWEST).get(0).change()).isEqualTo(change);
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void onlyTheUserOfTheProcessReadsIt() throws Exception {
        record("a");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file().getParent())))
                .isEqualTo("rwx------");
    }

    @Test
    void noValueOfAClientBeginsALine() throws Exception {
        String forged = "x\"}\n{\"previous\":\"0\",\"number\":9,\"action\":\"rollback\"}\r\u2028\u0000\u202e";
        try (ChangeHistory history = open()) {
            history.record(Change.of(forged, new Author("admin", forged, forged, forged), "refused", forged)
                    .with(Map.of("name", forged)));
        }
        assertThat(lines()).hasSize(1).allMatch(line -> line.matches("[ -~]*"));
        assertThat(verify().faults()).isEmpty();
        Change read = ChangeHistory.read(file(), NEWEST).get(0).change();
        assertThat(read.author().operator()).isEqualTo(forged);
        assertThat(read.parameters()).containsEntry("name", forged);
    }

    @Test
    void boundsTheLengthOfALine() throws Exception {
        String endless = "\u20ac".repeat(1 << 20);
        List<ChangedFile> files = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            files.add(new ChangedFile(i + endless.substring(0, 600), "added", "a".repeat(64)));
        }
        try (ChangeHistory history = open()) {
            history.record(Change.of(endless, new Author("admin", endless, endless, endless), "refused", endless)
                    .of(files));
        }
        assertThat(Files.size(file())).isLessThan(1 << 20);
        Change read = ChangeHistory.read(file(), NEWEST).get(0).change();
        assertThat(read.files().size() + read.moreFiles()).isEqualTo(5000);
    }

    @Test
    void filesThatAreKeptSlowlyDelayNoChange() throws Exception {
        CountDownLatch slow = new CountDownLatch(1);
        int changes = 20;
        try (ChangeHistory history = open()) {
            for (int i = 1; i <= changes; i++) {
                history.record(reload("a").between(i - 1, i), () -> keptAfter(slow));
            }
            slow.countDown();
            eventually(() -> assertThat(history.written()).isEqualTo(changes));
            history.record(reload("fails"), () -> {
                throw new IllegalStateException("expected");
            });
        }
        List<Entry> all = ChangeHistory.read(file(), NEWEST);
        assertThat(all).hasSize(changes + 1);
        assertThat(all.get(0).change().kept()).isEmpty();
        assertThat(all)
                .filteredOn(entry -> !entry.change().kept().isEmpty())
                .as("the files of the others would fill the memory")
                .hasSizeBetween(8, 9);
    }

    @Test
    void selectsByActionAndOperator() throws Exception {
        try (ChangeHistory history = open()) {
            history.record(Change.of("reload", ALICE, "accepted", "1"));
            history.record(Change.of("rollback", ALICE, "accepted", "2"));
            history.record(Change.of("reload", Author.WATCH, "accepted", "3"));
        }
        assertThat(ChangeHistory.read(file(), new Query(Long.MAX_VALUE, 10, "reload", null)))
                .extracting(Entry::number)
                .containsExactly(3L, 1L);
        assertThat(ChangeHistory.read(file(), new Query(Long.MAX_VALUE, 10, null, "alice")))
                .extracting(Entry::number)
                .containsExactly(2L, 1L);
        assertThat(ChangeHistory.read(file(), new Query(3, 1, "reload", null)))
                .extracting(Entry::number)
                .containsExactly(1L);
    }

    @Test
    void concurrentChangesAreOneChain() throws Exception {
        int each = 100;
        try (ChangeHistory history = open()) {
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                Thread thread = new Thread(() -> {
                    for (int j = 0; j < each; j++) {
                        history.record(reload("concurrent"));
                    }
                });
                thread.start();
                threads.add(thread);
            }
            for (Thread thread : threads) {
                thread.join();
            }
            eventually(() -> assertThat(history.written()).isEqualTo(8L * each));
            assertThat(history.lost()).isZero();
        }
        assertThat(verify().faults()).isEmpty();
        assertThat(verify().entries()).isEqualTo(8L * each);
    }

    @Test
    void anUnwritableFileLosesEntriesAndTheNextOneStatesHowMany() throws Exception {
        Path directory = file().getParent();
        Files.writeString(directory, "in the way");
        try (ChangeHistory history = open()) {
            history.record(reload("a"));
            history.record(reload("b"));
            eventually(() -> assertThat(history.lost()).isEqualTo(2));
            Files.delete(directory);
            history.record(reload("c"));
            eventually(() -> assertThat(history.written()).isEqualTo(2));
        }
        assertThat(reasons().get(0)).isEqualTo("c");
        assertThat(reasons().get(1)).startsWith("2 entries not written: ");
        assertThat(verify().faults()).isEmpty();
    }

    @Test
    void aFileThatIsNoFileNeverBlocksAChange() throws Exception {
        Path directory = Files.createDirectory(home.resolve("directory.jsonl"));
        try (ChangeHistory history = ChangeHistory.start(config(), small(directory.toString(), 1), List.of())) {
            for (int i = 0; i < 10_000; i++) {
                history.record(reload("lost"));
            }
            eventually(() -> assertThat(history.lost()).isEqualTo(10_000));
            assertThat(history.written()).isZero();
        }
    }

    @Test
    void aSecondGatewayWithTheSameFileLosesItsEntriesUntilTheFirstEnds() throws Exception {
        ChangeHistory second;
        try (ChangeHistory first = open()) {
            first.record(reload("first"));
            eventually(() -> assertThat(first.written()).isEqualTo(1));
            second = open();
            second.record(reload("refused"));
            ChangeHistory waiting = second;
            eventually(() -> assertThat(waiting.lost()).isEqualTo(1));
            // A reader does not end the lock.
            assertThat(reasons()).containsExactly("first");
            first.record(reload("again"));
        }
        second.record(reload("second"));
        second.close();
        assertThat(reasons().get(0)).isEqualTo("second");
        assertThat(reasons().get(1)).startsWith("1 entry not written");
        assertThat(reasons()).endsWith("again", "first");
        assertThat(verify().faults()).isEmpty();
    }

    @Test
    void refusedRequestsDoNotRollTheHistoryAway() throws Exception {
        try (ChangeHistory history = open()) {
            for (int i = 0; i < 10_000; i++) {
                history.recordRefusal(Change.of("reload", ALICE, "denied", ""));
            }
        }
        assertThat(verify().entries()).isBetween(60L, 100L);
    }

    @Test
    void timesAreThoseOfTheChanges() throws Exception {
        Instant begin = Instant.now();
        record("a");
        assertThat(ChangeHistory.read(file(), NEWEST).get(0).change().time()).isBetween(begin, Instant.now());
    }

    private static String keptAfter(CountDownLatch slow) {
        try {
            slow.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return "b".repeat(64);
    }
}
