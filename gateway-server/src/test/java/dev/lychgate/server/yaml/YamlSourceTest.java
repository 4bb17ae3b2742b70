package dev.lychgate.server.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class YamlSourceTest {
    @Test
    void reportsAMissingFile(@TempDir Path dir) {
        Path file = dir.resolve("none.yml");

        refused(file, file + ": no such file (expected: a YAML file; name it with --config)");
    }

    @Test
    void reportsADirectory(@TempDir Path dir) {
        refused(dir, dir + ": is a directory (expected: a YAML file)");
    }

    /** A read would block until a program writes to it. */
    @Test
    void reportsAPipe(@TempDir Path dir) throws Exception {
        Path pipe = dir.resolve("pipe.yml");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();

        refused(pipe, pipe + ": is not a regular file (expected: a YAML file, or a pipe as /dev/stdin)");
    }

    @Test
    void reportsATooLargeFile(@TempDir Path dir) throws Exception {
        Path file = dir.resolve("huge.yml");
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(YamlSource.LARGEST + 1L);
        }

        refused(file, file + ": larger than 4 MiB (expected: at most 4 MiB)");
    }

    @Test
    void readsAtMostThatOfAnEndlessFile() {
        Path endless = Path.of("/dev/zero");
        assumeThat(endless).exists();

        refused(endless, "/dev/zero: larger than 4 MiB (expected: at most 4 MiB)");
    }

    @Test
    void reportsATooLongLine() throws Exception {
        String longest = "#" + "x".repeat(YamlSource.LONGEST_LINE - 1);

        assertThat(decoded(longest + "\r\n" + longest + "\n")).hasSize(2 * longest.length() + 3);
        assertThatExceptionOfType(FaultyConfigException.class)
                .isThrownBy(() -> decoded("a: b\r\n\n" + longest + "x"))
                .withMessage("g.yml:3:65537: a line of more than 64 KiB (expected: at most 65536 characters)");
    }

    private static String decoded(String text) throws FaultyConfigException {
        return YamlSource.decode("g.yml", text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void reportsAnUnreadableFile(@TempDir Path dir) throws Exception {
        Path file = Files.writeString(dir.resolve("secret.yml"), "a: b");
        Files.setPosixFilePermissions(file, Set.of());
        assumeThat(Files.isReadable(file)).as("root reads everything").isFalse();

        refused(file, file + ": permission denied (expected: a file this user may read)");
    }

    private static void refused(Path file, String line) {
        assertThatExceptionOfType(FaultyConfigException.class)
                .isThrownBy(() -> YamlSource.read(file))
                .withMessage(line);
    }
}
