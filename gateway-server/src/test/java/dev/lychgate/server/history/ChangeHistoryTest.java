package dev.lychgate.server.history;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.ByteSize;
import dev.lychgate.config.HistoryConfig;
import dev.lychgate.server.history.ChangeHistory.Query;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The file of the history: its chain, and what crashes, tampering and full disks do to it. */
class ChangeHistoryTest {
    private static final Query NEWEST = new Query(Long.MAX_VALUE, 1000, null, null);
    private static final Author ALICE = new Author("cli", "alice", "127.0.0.1:5000", "token");

    @TempDir
    Path home = Path.of("");

    private Path config() {
        return home.resolve("gateway.yml");
    }

    private Path file() {
        return ChangeHistory.file(config(), HistoryConfig.DEFAULT);
    }

    private ChangeHistory open() {
        return ChangeHistory.start(config(), HistoryConfig.DEFAULT);
    }

    private static HistoryConfig small(@Nullable String file, int keep) {
        return new HistoryConfig(file, ByteSize.parse("64KiB"), keep, 0, ByteSize.parse("1MiB"), null);
    }

    private static Change reload(String reason) {
        return Change.of("reload", ALICE, "accepted", reason);
    }

    /** Records changes in a gateway that starts and ends. */
    private void record(String... reasons) {
        try (ChangeHistory history = open()) {
            for (String reason : reasons) {
                history.record(reload(reason));
            }
        }
    }

    private List<String> lines() throws IOException {
        return Files.readAllLines(file());
    }

    private Verification verify() throws IOException {
        return Verification.of(file(), null);
    }

    private List<String> reasons() throws IOException {
        return ChangeHistory.read(file(), NEWEST).stream()
                .map(entry -> entry.change().reason())
                .toList();
    }

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
    void findsAChangedLine() throws Exception {
        record("a", "b", "c");
        write(lines().stream().map(line -> line.replace("\"b\"", "\"B\"")).toList());

        assertThat(verify().faults())
                .singleElement()
                .asString()
                .contains(file().getFileName() + ":3: entry 3 carries another digest");
    }

    @Test
    void findsARemovedAnInsertedAndAMovedLine() throws Exception {
        record("a", "b", "c");
        List<String> whole = lines();
        write(List.of(whole.get(0), whole.get(2)));
        assertThat(String.join("\n", verify().faults())).contains("entry 3 follows entry 1");
        write(List.of(whole.get(0), whole.get(0), whole.get(1), whole.get(2)));
        assertThat(String.join("\n", verify().faults())).contains("entry 1 follows entry 1");
        write(List.of(whole.get(1), whole.get(0), whole.get(2)));
        assertThat(verify().faults()).isNotEmpty();
        write(List.of(whole.get(0), "garbage", whole.get(1), whole.get(2)));
        assertThat(String.join("\n", verify().faults())).contains(":2: not an entry of a history");
        write(whole);
        assertThat(verify().faults()).isEmpty();
    }

    @Test
    void aDigestNotedElsewhereFindsARemovedEnd() throws Exception {
        record("a", "b", "c");
        String noted = verify().head();
        write(lines().subList(0, 2));

        assertThat(verify().faults())
                .as("the chain alone does not prove its end")
                .isEmpty();
        assertThat(Verification.of(file(), noted).faults())
                .singleElement()
                .asString()
                .contains("no line has the digest " + noted);
    }

    @Test
    void removesAnIncompleteLastLineAndReportsThat() throws Exception {
        record("a", "b");
        Files.writeString(file(), "{\"previous\":\"4f", StandardOpenOption.APPEND);

        assertThat(verify().faults()).isEmpty();
        assertThat(verify().notes())
                .singleElement()
                .asString()
                .contains("the last line is incomplete, as after a crash");
        assertThat(reasons()).containsExactly("b", "a");
        record("c");
        assertThat(reasons()).containsExactly("c", "15 bytes of an incomplete last line were removed", "b", "a");
        assertThat(verify().faults()).isEmpty();
        assertThat(verify().notes()).isEmpty();
    }

    @Test
    void aCrashAtAnyByteOfTheLastLineLosesNoEarlierEntry() throws Exception {
        record("a", "b");
        byte[] whole = Files.readAllBytes(file());
        int second = lines().get(0).length() + 1;
        for (int cut = second; cut < whole.length; cut++) {
            Files.write(file(), Arrays.copyOf(whole, cut));
            try (HistoryFile again = new HistoryFile(file(), 1 << 20, 1)) {
                assertThat(again.open()).isEqualTo(cut - second);
                again.append(reload("c"));
            }
            assertThat(reasons()).as("cut at %d", cut).containsExactly("c", "a");
            assertThat(verify().faults()).isEmpty();
        }
    }

    @Test
    void aCrashInTheFirstLineOfAllIsRepaired() throws Exception {
        for (String begun : List.of("{", "{\"previous\":\"00", "\0\0\0")) {
            Files.createDirectories(file().getParent());
            Files.writeString(file(), begun);
            record("a");
            assertThat(reasons()).hasSize(2).startsWith("a");
            assertThat(verify().faults()).isEmpty();
            Files.delete(file());
        }
    }

    @Test
    void aFileThatIsNoHistoryIsNeitherContinuedNorCut() throws Exception {
        for (String text : List.of("listeners: []", "listeners: []\n", "{}\n", "{}\n{\"previous\":")) {
            Path other = Files.writeString(home.resolve("other"), text);
            try (ChangeHistory history = ChangeHistory.start(config(), small(other.toString(), 1))) {
                history.record(reload("a"));
                eventually(() -> assertThat(history.lost()).isEqualTo(1));
            }
            assertThat(Files.readString(other)).isEqualTo(text);
        }
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void aLinkInPlaceOfTheFileIsNotFollowed() throws Exception {
        Path victim = home.resolve("victim");
        Path link = Files.createSymbolicLink(home.resolve("link"), victim);
        for (boolean exists : List.of(false, true)) {
            if (exists) {
                Files.createFile(victim);
            }
            try (ChangeHistory history = ChangeHistory.start(config(), small(link.toString(), 1))) {
                history.record(reload("a"));
                eventually(() -> assertThat(history.lost()).isEqualTo(1));
            }
            assertThat(Files.exists(victim)).isEqualTo(exists);
        }
        assertThat(Files.size(victim)).isZero();
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
    void theChainGoesOnBehindADamagedLineAndStaysBrokenThere() throws Exception {
        record("a", "b");
        write(List.of(lines().get(0), "garbage"));
        record("c");

        assertThat(reasons()).containsExactly("c", "a");
        assertThat(ChangeHistory.read(file(), NEWEST).get(0).number()).isEqualTo(3);
        assertThat(verify().faults()).containsExactly(file().getFileName() + ":2: not an entry of a history");
    }

    @Test
    void aLineThatIsEditedWhileTheGatewayRunsBreaksTheChain() throws Exception {
        try (ChangeHistory history = open()) {
            history.record(reload("a"));
            eventually(() -> assertThat(history.written()).isEqualTo(1));
            write(lines().stream().map(line -> line.replace("\"a\"", "\"x\"")).toList());
            history.record(reload("b"));
        }
        assertThat(String.join("\n", verify().faults())).contains(":2: entry 2 carries another digest");
    }

    @Test
    void aFileThatIsDeletedWhileTheGatewayRunsIsMissed() throws Exception {
        try (ChangeHistory history = open()) {
            history.record(reload("a"));
            eventually(() -> assertThat(history.written()).isEqualTo(1));
            Files.delete(file());
            history.record(reload("b"));
        }
        assertThat(ChangeHistory.read(file(), NEWEST).get(0).number()).isEqualTo(2);
        assertThat(verify().notes())
                .containsExactly("the entries before 2 are not in these files: rolled away, or removed");
    }

    @Test
    void rollsTheFileAndKeepsTheChainOverAllFiles() throws Exception {
        HistoryConfig small = small(null, 2);
        try (ChangeHistory history = ChangeHistory.start(config(), small)) {
            for (int i = 0; i < 1000; i++) {
                history.record(reload(i + "x".repeat(500)));
                int sofar = i;
                if (i % 500 == 499) {
                    eventually(() -> assertThat(history.written()).isEqualTo(sofar + 1));
                }
            }
        }
        List<Path> rolled = Lines.rolled(file());
        assertThat(rolled).hasSize(2);
        assertThat(Files.size(file())).isLessThanOrEqualTo(64 << 10);
        assertThat(verify().faults()).isEmpty();
        assertThat(verify().last()).isEqualTo(1000);
        assertThat(verify().first()).isGreaterThan(1);
        assertThat(verify().notes()).singleElement().asString().contains("rolled away");

        // Pages across files.
        List<Entry> all = new ArrayList<>();
        long before = Long.MAX_VALUE;
        for (List<Entry> page = page(before); !page.isEmpty(); page = page(before)) {
            all.addAll(page);
            before = page.get(page.size() - 1).number();
        }
        long first = verify().first();
        assertThat(all)
                .extracting(Entry::number)
                .containsExactlyElementsOf(LongStream.iterate(1000, i -> i >= first, i -> i - 1)
                        .boxed()
                        .toList());

        Files.delete(rolled.get(1));
        assertThat(verify().faults()).as("a removed file in the middle").isNotEmpty();
    }

    private List<Entry> page(long before) throws IOException {
        return ChangeHistory.read(file(), new Query(before, 37, null, null));
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
        assertThat(reasons().get(1)).startsWith("2 entries were not written: ");
        assertThat(verify().faults()).isEmpty();
    }

    @Test
    void aFileThatIsNoFileNeverBlocksAChange() throws Exception {
        Path directory = Files.createDirectory(home.resolve("directory.jsonl"));
        try (ChangeHistory history = ChangeHistory.start(config(), small(directory.toString(), 1))) {
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
        assertThat(reasons().get(1)).startsWith("1 entries were not written");
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

    private void write(List<String> lines) throws IOException {
        Files.writeString(file(), String.join("\n", lines) + "\n");
    }
}
