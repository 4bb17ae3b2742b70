package dev.lychgate.server.accesslog;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.lychgate.config.ByteSize;
import dev.lychgate.config.RollConfig;
import dev.lychgate.gateway.StartFailure;
import dev.lychgate.server.logwriter.ProcessOutput;
import dev.lychgate.testing.Eventually;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class FileSinkTest {
    private static final LocalDate TODAY = LocalDate.of(2026, 3, 4);
    /** A clock that stands still, because a file is rolled at midnight. */
    private static final Clock CLOCK = Clock.fixed(TODAY.atTime(12, 0).toInstant(ZoneOffset.UTC), ZoneOffset.UTC);

    private static FileSink open(String file, @Nullable RollConfig roll) {
        return FileSink.open(file, roll, CLOCK);
    }

    @Test
    void writesBareLinesToAFileAndCreatesItsDirectory(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("logs/today/access.log");
        try (FileSink sink = open(file.toString(), RollConfig.DEFAULT)) {
            sink.write(bytes("one {} %n\ntwo\n"));
            assertThat(file).hasContent("one {} %n\ntwo\n");
        }
    }

    @Test
    void appendsToAnExistingFile(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("access.log");
        Files.writeString(file, "before\n");
        Files.setLastModifiedTime(file, FileTime.from(CLOCK.instant()));
        try (FileSink sink = open(file.toString(), RollConfig.DEFAULT)) {
            sink.write(bytes("after\n"));
        }
        assertThat(file).hasContent("before\nafter\n");
    }

    @Test
    void beginsANewLineAfterATruncatedLine(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("access.log");
        Files.writeString(file, "before\n{\"cut");
        try (FileSink sink = open(file.toString(), null)) {
            sink.write(bytes("after\n"));
            sink.write(bytes("more\n"));
            Files.writeString(file, "{\"cut", StandardOpenOption.APPEND);
            sink.reopen();
            sink.write(bytes("last\n"));
        }
        assertThat(file).hasContent("before\n{\"cut\nafter\nmore\n{\"cut\nlast\n");
    }

    @Test
    void refusesAFileThatCanNotBeWrittenInOneLine(@TempDir Path directory) throws IOException {
        Path notADirectory = Files.writeString(directory.resolve("file"), "");
        String file = notADirectory.resolve("access.log").toString();
        assertThatThrownBy(() -> open(file, RollConfig.DEFAULT))
                .isInstanceOf(StartFailure.class)
                .hasMessageStartingWith("access-log: can't write to " + file + ": ")
                .hasMessageNotContaining("\n");
    }

    @Test
    void usesANameWithPlaceholdersUnchanged(@TempDir Path directory) throws IOException {
        try (FileSink sink = open(directory.resolve("a%d.%i.log").toString(), roll(0, "0", RollConfig.Compress.OFF))) {
            sink.write(MEBIBYTE);
            sink.write(bytes("more\n"));
        }
        assertThat(names(directory)).containsExactly("a%d.%i.log", "a%d.%i.log." + TODAY + ".0");
    }

    @Test
    void reportsLostLinesWithEveryWriteToAFullDisk() {
        Path full = Path.of("/dev/full");
        assumeThat(full).as("a disk that is always full").exists();
        try (FileSink sink = open(full.toString(), RollConfig.DEFAULT)) {
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> sink.write(bytes("a line\n")))
                        .isInstanceOf(UncheckedIOException.class)
                        .hasMessage("No space left on device");
            }
        }
    }

    @Test
    void writesAgainToAFileThatCouldNotBeOpened(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("logs/access.log");
        Path away = directory.resolve("away");
        try (FileSink sink = open(file.toString(), null)) {
            sink.write(bytes("before\n"));
            Files.move(file.getParent(), away);
            assertThatThrownBy(sink::reopen).isInstanceOf(UncheckedIOException.class);
            sink.write(bytes("in the old file\n"));
            Files.move(away, file.getParent());
            sink.reopen();
            sink.write(bytes("after\n"));
        }
        assertThat(file).hasContent("before\nin the old file\nafter\n");
    }

    @Test
    void opensANamedPipeThatHasNoReaderYet(@TempDir Path directory) throws Exception {
        Path pipe = directory.resolve("pipe");
        assumeThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .as("mkfifo")
                .isZero();
        try (FileSink sink = open(pipe.toString(), RollConfig.DEFAULT)) {
            sink.write(bytes("before\n"));
            try (BufferedReader reader = Files.newBufferedReader(pipe)) {
                sink.write(bytes("after\n"));
                assertThat(reader.readLine()).isEqualTo("before");
                assertThat(reader.readLine()).isEqualTo("after");
            }
        }
    }

    @Test
    void reportsLostLinesOfStandardOutputWhileItFails() {
        Pipe pipe = new Pipe();
        PrintStream before = System.out;
        System.setOut(new ProcessOutput(pipe));
        try (LineSink sink = LineSink.standardOutput()) {
            pipe.broken = true;
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> sink.write(bytes("lost\n")))
                        .isInstanceOf(UncheckedIOException.class)
                        .hasMessage("standard output accepts no data");
            }
            pipe.broken = false;
            sink.write(bytes("written\n"));
            assertThat(pipe.bytes.toString(US_ASCII)).isEqualTo("written\n");
        } finally {
            System.setOut(before);
        }
    }

    private static byte[] bytes(String lines) {
        return lines.getBytes(US_ASCII);
    }

    private static final class Pipe extends OutputStream {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        boolean broken;

        @Override
        public void write(int b) throws IOException {
            if (broken) {
                throw new IOException("Broken pipe");
            }
            bytes.write(b);
        }
    }

    @Test
    void writesToStandardOutputAndLeavesItOpen() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream before = System.out;
        System.setOut(new PrintStream(bytes, true, US_ASCII));
        try {
            LineSink sink = LineSink.standardOutput();
            sink.write(bytes("a line\n"));
            assertThat(bytes.toString(US_ASCII)).isEqualTo("a line\n");
            sink.close();
            System.out.print("still open");
            assertThat(bytes.toString(US_ASCII)).endsWith("still open");
        } finally {
            System.setOut(before);
        }
    }

    private static final byte[] MEBIBYTE = "0123456789abcde\n".repeat(1 << 16).getBytes(US_ASCII);

    private static RollConfig roll(int keep, String total, RollConfig.Compress compress) {
        return new RollConfig(ByteSize.parse("1MiB"), keep, ByteSize.parse(total), compress);
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void rollsAFileThatHasReachedItsSize(@TempDir Path directory) throws Exception {
        try (FileSink sink = open(directory.resolve("access.log").toString(), roll(0, "0", RollConfig.Compress.OFF))) {
            for (int i = 0; i < 3; i++) {
                sink.write(MEBIBYTE);
            }
        }
        assertThat(names(directory)).contains("access.log", "access.log." + TODAY + ".0", "access.log." + TODAY + ".1");
    }

    @Test
    void compressesRolledFiles(@TempDir Path directory) throws Exception {
        Path rolled = directory.resolve("access.log." + TODAY + ".0.gz");
        try (FileSink sink = open(directory.resolve("access.log").toString(), roll(0, "0", RollConfig.Compress.GZIP))) {
            sink.write(MEBIBYTE);
            sink.write(MEBIBYTE);
            Eventually.eventually(
                    Duration.ofSeconds(30), () -> assertThat(unpacked(rolled)).isEqualTo(MEBIBYTE));
        }
    }

    @Test
    void deletesRolledFilesBeyondTheRetention(@TempDir Path directory) throws Exception {
        Path old = Files.writeString(directory.resolve("access.log." + TODAY.minusDays(10) + ".0"), "old\n");
        Path young = Files.writeString(directory.resolve("access.log." + TODAY.minusDays(1) + ".0"), "young\n");
        Path other = Files.writeString(directory.resolve("other.log"), "other\n");
        try (FileSink sink = open(directory.resolve("access.log").toString(), roll(3, "0", RollConfig.Compress.OFF))) {
            sink.write(bytes("now\n"));
            Eventually.eventually(Duration.ofSeconds(30), () -> assertThat(old).doesNotExist());
        }
        assertThat(young).exists();
        assertThat(other).exists();
    }

    @Test
    void deletesTheOldestRolledFilesBeyondTheirTotal(@TempDir Path directory) throws Exception {
        String rolled = "access.log." + TODAY + ".";
        try (FileSink sink =
                open(directory.resolve("access.log").toString(), roll(3, "2MiB", RollConfig.Compress.OFF))) {
            for (int i = 0; i < 6; i++) {
                sink.write(MEBIBYTE);
            }
            Eventually.eventually(
                    Duration.ofSeconds(30),
                    () -> assertThat(names(directory)).containsExactly("access.log", rolled + "3", rolled + "4"));
        }
    }

    @Test
    void doesNotRollAFileWithoutARollConfiguration(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("access.log");
        try (FileSink sink = open(file.toString(), null)) {
            sink.write(MEBIBYTE);
            sink.write(MEBIBYTE);
        }
        assertThat(names(directory)).containsExactly("access.log");
        assertThat(file).hasSize(2L << 20);
    }

    private static byte[] unpacked(Path file) throws IOException {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            return in.readAllBytes();
        }
    }
}
