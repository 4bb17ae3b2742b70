package dev.lychgate.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code lychgate api-key}. */
class ApiKeyCommandTest {
    @TempDir
    Path home = Path.of("");

    /** Returns the exit code, a colon, and the output of both streams. */
    private static String run(String input, String... words) {
        StringWriter output = new StringWriter();
        PrintWriter printer = new PrintWriter(output, true);
        Surroundings surroundings = new Surroundings(
                new Terminal(),
                name -> null,
                printer,
                printer,
                hook -> {},
                Signals.NONE,
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
        List<String> all = new ArrayList<>(List.of("api-key"));
        all.addAll(List.of(words));
        return LychgateCommand.execute(surroundings, all.toArray(String[]::new)) + ": " + output;
    }

    private static String digest(String key) throws Exception {
        return "sha256:"
                + HexFormat.of()
                        .formatHex(
                                MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.US_ASCII)));
    }

    @Test
    void printsANewKeyAndALineWithItsDigest() throws Exception {
        String output = run(
                "",
                "new",
                "--owner",
                "orders",
                "--id",
                "orders-1",
                "--expires",
                "2027-12-31",
                "--claim",
                "tier=gold",
                "--claim",
                "scope=a",
                "--claim",
                "scope=b c");
        assertThat(output).startsWith("0: lgk_");
        List<String> lines = output.substring(3).lines().toList();
        assertThat(lines.get(0)).matches("lgk_[A-Za-z0-9_-]{43}");
        assertThat(lines.get(1))
                .isEqualTo(digest(lines.get(0))
                        + " id=orders-1 owner=orders expires=2027-12-31 tier=gold scope=[a,\"b c\"]");
        assertThat(lines).hasSize(2);
        assertThat(run("", "new", "--owner", "orders").lines().findFirst())
                .isNotEqualTo(output.lines().findFirst());
    }

    @Test
    void printsTheLineOfAnExistingKeyFromStandardInput() throws Exception {
        String key = "0123456789abcdef01234567";
        for (String input : List.of(key, key + "\n", key + "\r\n")) {
            assertThat(run(input, "digest", "--owner", "Orders \"EU\"", "--id", "o"))
                    .isEqualTo("0: " + digest(key) + " id=o owner=\"Orders \\\"EU\\\"\"\n");
        }
        for (String input : List.of("", key.substring(1), key + " ", key + "\n\n", "k".repeat(257), "é" + key)) {
            assertThat(run(input, "digest", "--owner", "orders"))
                    .isEqualTo(
                            "1: lychgate: api-key digest: expected a key of 24 to 256 visible characters of ASCII\n");
        }
    }

    @Test
    void appendsTheLineToAFileAndPrintsTheKeyAlone() throws Exception {
        Path file = home.resolve("keys.txt");
        String output = run("", "new", "--owner", "orders", "--file", file.toString());
        assertThat(output).matches("0: lgk_[\\w-]{43}\\R");
        String key = output.substring(3).strip();
        assertThat(Files.readString(file)).matches(digest(key) + " id=orders-[0-9a-f]{8} owner=orders\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");

        run("", "new", "--owner", "orders", "--id", "orders-2", "--file", file.toString());
        String both = Files.readString(file);
        assertThat(both).startsWith(digest(key)).hasLineCount(2);
        assertThat(run("", "new", "--owner", "orders", "--id", "orders-2", "--file", file.toString()))
                .isEqualTo("1: lychgate: api-key new: expected an id that " + file + " does not contain yet\n");
        assertThat(run(key, "digest", "--owner", "orders", "--file", file.toString()))
                .isEqualTo("1: lychgate: api-key digest: expected a key that " + file + " does not contain yet\n");
        assertThat(Files.readString(file)).isEqualTo(both);
        Files.writeString(file, both + "# half a line");
        assertThat(run("", "new", "--owner", "orders", "--file", file.toString()))
                .isEqualTo("1: lychgate: api-key new: expected a file whose last line ends with a line feed; the last"
                        + " line of " + file + " does not\n");
    }

    @Test
    void refusesFieldsThatTheFileWouldNotAccept() {
        assertThat(run("", "new")).startsWith("64: ").contains("--owner");
        assertThat(run("", "old", "--owner", "a")).startsWith("64: ").contains("(expected: new or digest)");
        assertThat(run("", "new", "--owner", "a", "--claim", "tier"))
                .startsWith("64: ")
                .contains("NAME=VALUE");
        assertThat(run("", "new", "--owner", " ")).startsWith("1: ").contains("1 to 255 characters for owner");
        assertThat(run("", "new", "--owner", "a\nb")).startsWith("1: ").contains("without control characters");
        for (String time : List.of("tomorrow", "2027-02-30", "2027-01-01T00:00")) {
            assertThat(run("", "new", "--owner", "a", "--expires", time))
                    .startsWith("1: ")
                    .contains("a date, 2027-01-31");
        }
        for (String claim : List.of("id=x", "sub=x", "key_id=x", "expires=x", "1a=x", "a b=x")) {
            assertThat(run("", "new", "--owner", "a", "--claim", claim))
                    .startsWith("1: ")
                    .contains("the name of a claim");
        }
    }
}
