package dev.lychgate.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.secrets.KeyFile;
import dev.lychgate.server.secrets.SealedSecret;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code lychgate secret}. */
class SecretCommandTest {
    @TempDir
    Path home = Path.of("");

    private final Map<String, String> environment = new HashMap<>();

    /** Returns the exit code, a colon, and the output of both streams. */
    private String run(String input, String... words) {
        StringWriter output = new StringWriter();
        PrintWriter printer = new PrintWriter(output, true);
        Surroundings surroundings = new Surroundings(
                new Terminal(),
                environment::get,
                printer,
                printer,
                hook -> {},
                Signals.NONE,
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
        return LychgateCommand.execute(surroundings, words) + ": " + output;
    }

    private Path file() {
        return home.resolve("key");
    }

    private String key(String... more) {
        String[] words = new String[more.length + 4];
        words[0] = "secret";
        words[1] = "key";
        words[2] = "--key-file";
        words[3] = file().toString();
        System.arraycopy(more, 0, words, 4, more.length);
        return run("", words);
    }

    private static String reference(String output) {
        assertThat(output).matches("0: \\$\\{encrypted:[\\w-]+}\\R");
        return output.substring("0: ${encrypted:".length(), output.indexOf('}'));
    }

    @Test
    void writesAKeyAndEncryptsStandardInput() throws Exception {
        assertThat(key()).matches("0: key [0-9a-f]{8} written to " + file() + "\\R");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");
        String sealed = reference(run("hunter2\n", "secret", "encrypt", "--key-file", file().toString()));
        assertThat(SealedSecret.open(sealed, KeyFile.read(file()))).isEqualTo("hunter2");
    }

    @Test
    void findsTheKeyFileByTheVariable() throws Exception {
        environment.put("LYCHGATE_KEY_FILE", file().toString());
        assertThat(run("", "secret", "key")).startsWith("0: ");
        assertThat(SealedSecret.open(reference(run("x", "secret", "encrypt")), KeyFile.read(file())))
                .isEqualTo("x");
        environment.clear();
        assertThat(run("x", "secret", "encrypt"))
                .isEqualTo("1: lychgate: secret encrypt: expected a key: set LYCHGATE_KEY_FILE to the path of the file"
                        + " that lychgate secret key has written, or load this file as the systemd credential"
                        + " lychgate-key\n");
    }

    @Test
    void neverTakesASecretFromTheCommandLineNorRepeatsIt() {
        assertThat(run("", "secret", "encrypt", "hunter2"))
                .startsWith("64: lychgate: secret encrypt (expected: no further argument; values are read from"
                        + " standard input, so that other users and the history of the shell do not get them)")
                .doesNotContain("hunter2");
    }

    @Test
    void refusesInputThatIsNoSecret() {
        key();
        assertThat(run("", "secret", "encrypt", "--key-file", file().toString()))
                .startsWith("1: ")
                .contains("the input is empty");
        assertThat(run("a\0", "secret", "encrypt", "--key-file", file().toString()))
                .startsWith("1: ")
                .contains("NUL");
        assertThat(run("x".repeat((64 << 10) + 1), "secret", "encrypt", "--key-file", file().toString()))
                .startsWith("1: ")
                .contains("at most 64 KiB");
    }

    @Test
    void neverOverwritesAKeyFile() throws Exception {
        key();
        String before = Files.readString(file());
        assertThat(key()).isEqualTo("1: lychgate: secret key: " + file() + " exists; --add adds a key to it\n");
        assertThat(Files.readString(file())).isEqualTo(before);
        assertThat(key("--add")).matches("0: key [0-9a-f]{8} added to " + file() + "\\R");
        assertThat(Files.readString(file())).endsWith(before).hasLineCount(2);
        assertThat(run("", "secret", "encrypt", "--add")).startsWith("64: ");
    }

    @Test
    void rekeyKeepsTheRestOfTheFile() throws Exception {
        key();
        String sealed = reference(run("hunter2", "secret", "encrypt", "--key-file", file().toString()));
        key("--add");
        String file = "# größe\na: \"${encrypted:" + sealed + "}\"\nb: ${PORT:1}\n";
        String renewed = run(file, "secret", "rekey", "--key-file", file().toString());
        assertThat(renewed)
                .startsWith("0: # größe\na: \"${encrypted:")
                .endsWith("}\"\nb: ${PORT:1}\n")
                .doesNotContain(sealed);
        Files.writeString(file(), Files.readAllLines(file()).get(0));
        String now = renewed.replaceAll("(?s).*encrypted:([\\w-]+).*", "$1");
        assertThat(SealedSecret.open(now, KeyFile.read(file()))).isEqualTo("hunter2");
        assertThat(run(file, "secret", "rekey", "--key-file", file().toString()))
                .startsWith("1: lychgate: secret rekey: expected line 2: ");
    }
}
