package dev.lychgate.server.history;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.HistoryConfig;
import dev.lychgate.server.history.ChangeHistory.Query;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The chain of a history: what crashes leave of it, and what tampering does to it. */
@Tag("slow")
class HistoryChainTest extends HistoryHome {
    @Test
    void findsAChangedLine() throws Exception {
        record("a", "b", "c");
        write(lines().stream().map(line -> line.replace("\"b\"", "\"B\"")).toList());

        assertThat(verify().faults())
                .singleElement()
                .asString()
                .contains(file().getFileName() + ":3: entry 3 does not contain the digest");
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
                .contains("the last line is incomplete, probably because of a crash");
        assertThat(reasons()).containsExactly("b", "a");
        record("c");
        assertThat(reasons()).containsExactly("c", "an incomplete last line of 15 bytes was removed", "b", "a");
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
            try (ChangeHistory history = ChangeHistory.start(config(), small(other.toString(), 1), List.of())) {
                history.record(reload("a"));
                eventually(() -> assertThat(history.lost()).isEqualTo(1));
            }
            assertThat(Files.readString(other)).isEqualTo(text);
        }
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void aLinkWithTheNameOfARolledFileIsNotRead() throws Exception {
        record("a");
        Path forged = Files.writeString(home.resolve("forged"), lines().get(0).replace("\"a\"", "\"b\"") + "\n");
        Files.createSymbolicLink(Lines.rolled(file(), 1), forged);
        assertThat(reasons()).containsExactly("a");
        assertThat(verify().faults()).isEmpty();
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
            try (ChangeHistory history = ChangeHistory.start(config(), small(link.toString(), 1), List.of())) {
                history.record(reload("a"));
                eventually(() -> assertThat(history.lost()).isEqualTo(1));
            }
            assertThat(Files.exists(victim)).isEqualTo(exists);
        }
        assertThat(Files.size(victim)).isZero();
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
        assertThat(String.join("\n", verify().faults())).contains(":2: entry 2 does not contain the digest");
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
                .containsExactly(
                        "the entries before 2 are missing: their files were deleted by rolling, or were removed");
    }

    @Test
    void rollsTheFileAndKeepsTheChainOverAllFiles() throws Exception {
        HistoryConfig small = small(null, 2);
        try (ChangeHistory history = ChangeHistory.start(config(), small, List.of())) {
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
        assertThat(verify().notes()).singleElement().asString().contains("deleted by rolling");

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
}
