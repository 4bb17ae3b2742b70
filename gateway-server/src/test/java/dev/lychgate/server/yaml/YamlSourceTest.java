package dev.lychgate.server.yaml;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class YamlSourceTest {
    @Test
    void saysThatAFileIsMissing(@TempDir Path dir) {
        Path file = dir.resolve("none.yml");

        refused(file, file + ": no such file (expected: a YAML file; name it with --config)");
    }

    @Test
    void saysThatAFileIsADirectory(@TempDir Path dir) {
        refused(dir, dir + ": is a directory (expected: a YAML file)");
    }

    @Test
    void saysThatAFileIsTooLarge(@TempDir Path dir) throws Exception {
        Path file = dir.resolve("huge.yml");
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(YamlSource.LARGEST + 1L);
        }

        refused(file, file + ": larger than 16 MiB (expected: at most 16 MiB)");
    }

    @Test
    void saysThatAFileMayNotBeRead(@TempDir Path dir) throws Exception {
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
