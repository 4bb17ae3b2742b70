package dev.lychgate.server.secrets;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files that contain a secret, and files that attackers or mistakes put in their place. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SecretFileTest {
    @TempDir
    Path home = Path.of("");

    private Path write(String text) throws IOException {
        return Files.writeString(home.resolve("secret"), text);
    }

    private static void refused(Path file, String expected) {
        assertThatExceptionOfType(SecretException.class)
                .isThrownBy(() -> SecretFile.read(file, "; remedy"))
                .withMessageContaining(expected);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "token, token",
                "token\\n, token",
                "token\\r\\n, token",
                "token\\n\\n, token\\n",
                "\" token \", \" token \"",
                "one\\ntwo\\n, one\\ntwo",
                "größe-🔑, größe-🔑"
            })
    void omitsOneLineFeedAtTheEnd(String written, String secret) throws Exception {
        Path file = write(written.replace("\\n", "\n").replace("\\r", "\r"));
        assertThat(SecretFile.read(file, "").text()).isEqualTo(secret.replace("\\n", "\n"));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {"\"\"", "\\n", "\" \\n \""})
    void refusesAnEmptyFileAsAWriterTruncatesItFirst(String written) throws Exception {
        refused(write(written.replace("\\n", "\n")), "is empty");
    }

    @Test
    void refusesAMissingFileWithTheRemedy() {
        refused(home.resolve("missing"), "a file that exists; there is no " + home.resolve("missing") + "; remedy");
    }

    @Test
    void acceptsSixtyFourKibibytesAndRefusesMore() throws Exception {
        assertThat(SecretFile.read(write("x".repeat(64 << 10)), "").text()).hasSize(64 << 10);
        refused(write("x".repeat((64 << 10) + 1)), "at most 64 KiB");
    }

    @Test
    void refusesAFileThatIsLargerThanTheMemory() throws Exception {
        Path file = home.resolve("huge");
        try (RandomAccessFile huge = new RandomAccessFile(file.toFile(), "rw")) {
            huge.setLength(1L << 36);
        }
        refused(file, "at most 64 KiB");
    }

    @Test
    void refusesBytesThatAreNoText() throws Exception {
        byte[] latin = {'p', 'a', 's', 's', (byte) 0xE4, 'w'};
        Path file = Files.write(home.resolve("latin"), latin);
        refused(file, "text in UTF-8");
        assertThatExceptionOfType(SecretException.class)
                .isThrownBy(() -> SecretFile.read(file, ""))
                .satisfies(e ->
                        assertThat(e.getMessage()).doesNotContain("pass\u00e4w").doesNotContain("'pass"));
        refused(write("a\0b"), "the character NUL");
        refused(write("\uFEFFtoken"), "byte order mark");
    }

    @Test
    void followsLinksAsKubernetesMountsThem() throws Exception {
        Files.createDirectories(home.resolve("..2026"));
        Files.writeString(home.resolve("..2026/token"), "mounted");
        Files.createSymbolicLink(home.resolve("..data"), Path.of("..2026"));
        Path link = Files.createSymbolicLink(home.resolve("token"), Path.of("..data/token"));
        assertThat(SecretFile.read(link, "").text()).isEqualTo("mounted");
    }

    @Test
    void refusesLinksThatLeadNowhereOrInACircle() throws Exception {
        refused(Files.createSymbolicLink(home.resolve("gone"), Path.of("nothing")), "there is no");
        Files.createSymbolicLink(home.resolve("a"), Path.of("b"));
        Files.createSymbolicLink(home.resolve("b"), Path.of("a"));
        refused(home.resolve("a"), "a file that can be read");
    }

    @Test
    void refusesADirectory() {
        refused(home, "is a directory");
    }

    @Test
    void refusesAPipeWithoutWaitingForItsWriter() throws Exception {
        Path pipe = home.resolve("pipe");
        Process mkfifo = new ProcessBuilder("mkfifo", pipe.toString()).start();
        assertThat(mkfifo.waitFor()).isZero();
        refused(pipe, "a regular file");
        refused(Files.createSymbolicLink(home.resolve("to-pipe"), pipe), "a regular file");
    }

    @ParameterizedTest
    @CsvSource({"/dev/zero", "/dev/stdin", "/proc/self/environ", "/proc/self/cmdline", "/sys/kernel/uevent_seqnum"})
    void refusesDevicesAndFilesOfTheKernel(Path file) {
        assumeThat(Files.exists(file)).as("a system with this file").isTrue();
        assertThatExceptionOfType(SecretException.class).isThrownBy(() -> SecretFile.read(file, ""));
    }

    @Test
    void refusesTheEnvironmentOfTheProcessAlsoBehindALink() throws Exception {
        assumeThat(Files.exists(Path.of("/proc/self/environ"))).as("Linux").isTrue();
        refused(
                Files.createSymbolicLink(home.resolve("innocent"), Path.of("/proc/self/environ")),
                "a file of the kernel");
    }

    @Test
    void reportsFilesThatEveryUserCanRead() throws Exception {
        Path file = write("token");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(SecretFile.read(file, "").exposed()).isTrue();
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertThat(SecretFile.read(file, "").exposed()).isFalse();
    }

    @Test
    void refusesAFileThatTheUserMayNotRead() throws Exception {
        Path file = write("token");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
        assumeThat(Files.isReadable(file))
                .as("a user without the rights of root")
                .isFalse();
        refused(file, "permission denied");
    }

    @Test
    void isPrintedWithoutItsText() throws Exception {
        SecretSources sources = new SecretSources(name -> "value-of-" + name);
        SecretReference reference = requireNonNull(SecretReference.of("env:NAME"));
        assertThat(sources.read(reference, home).toString()).isEqualTo("***");
        assertThat(Files.readAllBytes(write("x"))).isEqualTo("x".getBytes(UTF_8));
    }
}
