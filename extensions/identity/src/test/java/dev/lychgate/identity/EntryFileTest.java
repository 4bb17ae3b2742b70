package dev.lychgate.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.ConfigException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EntryFileTest {
    @TempDir
    Path home = Path.of("");

    private List<String> read(Path file) {
        List<String> entries = new ArrayList<>();
        EntryFile.read(file.toString(), (line, number) -> {
            if (line.startsWith("bad")) {
                throw new IllegalArgumentException("a good line");
            }
            entries.add(number + " " + line);
        });
        return entries;
    }

    private List<String> read(String content) throws Exception {
        return read(Files.writeString(home.resolve("file"), content));
    }

    private void refused(String content, String message) {
        assertThatThrownBy(() -> read(content))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("file: " + home.resolve("file"))
                .hasMessageContaining(message);
    }

    @Test
    void readsEntriesWithTheirLinesAndIgnoresComments() throws Exception {
        assertThat(read("# keys\n\na\r\n  b\t\n#c\nd\n")).containsExactly("3 a", "4 b", "6 d");
        assertThat(read("\uFEFFa\n")).containsExactly("1 a");
        assertThat(read("größe\n")).containsExactly("1 größe");
    }

    @Test
    void refusesTheWholeFileWithTheLine() {
        refused("a\nbad one\nc\n", ": line 2 (expected: a good line)");
        refused("a\n" + "b".repeat(4_097) + "\n", ": line 2 (expected: lines of at most 4096 characters)");
        refused("a\n".repeat(100_001), ": line 100001 (expected: at most 100000 entries)");
        long needed = 512 + 4L * 4_000;
        long lines = Runtime.getRuntime().maxMemory() / 4 / needed + 1;
        assertThat(lines * 4_000).as("the size of such a file").isLessThan(64 << 20);
        refused(
                ("c".repeat(4_000) + "\n").repeat((int) lines),
                ": line " + lines + " (expected: entries that need at most a quarter of the heap, or a larger heap)");
    }

    @Test
    void refusesFilesThatMayBeHalfWritten() {
        refused("", "(expected: a file with at least one entry)");
        refused("# nothing\n\n", "(expected: a file with at least one entry)");
        refused("a\nb expires=2027-01-31", ": line 2 (expected: a line feed at the end of the last line");
    }

    @Test
    void refusesFilesOfOtherKinds() throws Exception {
        refused("a\0b\n", "(expected: text without the character NUL)");
        Path file = home.resolve("file");
        Files.write(file, "größe\n".getBytes(StandardCharsets.ISO_8859_1));
        assertThatThrownBy(() -> read(file)).hasMessageContaining("(expected: text in UTF-8)");
        Files.write(file, new byte[(64 << 20) + 1]);
        assertThatThrownBy(() -> read(file)).hasMessageContaining("(expected: a file of at most 64 MiB)");
        assertThatThrownBy(() -> read(home)).hasMessageContaining("(expected: a regular file)");
        assertThatThrownBy(() -> read(home.resolve("none"))).hasMessageContaining("(expected: a file that exists)");
    }

    /** Replaces the link to the directory atomically, as Kubernetes does with a mounted secret. */
    @Test
    void followsLinksToTheFileAndToItsDirectory() throws Exception {
        Path first = Files.createDirectories(home.resolve("1"));
        Path second = Files.createDirectories(home.resolve("2"));
        Files.writeString(first.resolve("keys"), "old\n");
        Files.writeString(second.resolve("keys"), "new\n");
        Path current = Files.createSymbolicLink(home.resolve("current"), first);
        Path keys = Files.createSymbolicLink(home.resolve("keys"), Path.of("current/keys"));
        assertThat(read(keys)).containsExactly("1 old");

        Path next = Files.createSymbolicLink(home.resolve("next"), second);
        Files.move(next, current, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        assertThat(read(keys)).containsExactly("1 new");
    }

    @Test
    void readsWordsTextsAndListsAsFields() {
        assertThat(EntryFields.parse("key a=1 b_c.d-e=\"x y \\\"z\\\\\"  f=[g,\"h,i\",j]\tk==", 3))
                .isEqualTo(Map.of("a", "1", "b_c.d-e", "x y \"z\\", "f", List.of("g", "h,i", "j"), "k", "="));
        assertThat(EntryFields.parse("key", 3)).isEmpty();
        assertThat(EntryFields.parse("a=größe e=\"\"", 0)).isEqualTo(Map.of("a", "größe", "e", ""));
    }

    @Test
    void refusesMalformedFields() {
        for (String fields : List.of(
                "a",
                "a=",
                "=b",
                "1=b",
                "a= b=c",
                "a=\"b",
                "a=\"b\"c",
                "a=\"\\n\"",
                "a=\"b\\",
                "a=[",
                "a=[]",
                "a=[b",
                "a=[b,]",
                "a=[b]c",
                "a=b,c",
                "a=b]",
                "a=b\"c",
                "ä=b",
                "a=\"b\u0001\"",
                "a=b\u00a0c\u0001")) {
            assertThatThrownBy(() -> EntryFields.parse(fields, 0))
                    .as(fields)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("fields name=value");
        }
        assertThatThrownBy(() -> EntryFields.parse("a=b a=c", 0)).hasMessage("the field a once");
    }
}
