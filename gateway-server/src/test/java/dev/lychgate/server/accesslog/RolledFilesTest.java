package dev.lychgate.server.accesslog;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.ByteSize;
import dev.lychgate.config.RollConfig;
import dev.lychgate.testing.Eventually;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rolled files on full disks, after crashes, and with clocks that jump. */
class RolledFilesTest {
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final LocalDate DATE = LocalDate.of(2026, 11, 3);

    @TempDir
    Path directory = Path.of("");

    private final Leaping clock = new Leaping();

    private static final class Leaping extends Clock {
        private volatile Instant now = Instant.parse("2026-11-03T12:00:00Z");

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException();
        }

        void to(LocalDate date) {
            now = date.atTime(12, 0).toInstant(ZoneOffset.UTC);
        }
    }

    private static RollConfig roll(int keep, String total, RollConfig.Compress compress) {
        return new RollConfig(ByteSize.parse("1MiB"), keep, ByteSize.parse(total), compress);
    }

    private Path file() {
        return directory.resolve("access.log");
    }

    private Path write(String name, String content) throws IOException {
        return Files.writeString(directory.resolve(name), content);
    }

    private FileSink sink(RollConfig roll) {
        return FileSink.open(file().toString(), roll, clock);
    }

    private static void write(FileSink sink, String line) {
        sink.write((line + "\n").getBytes(US_ASCII));
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(each -> each.getFileName().toString()).sorted().toList();
        }
    }

    private void await(String... names) throws Exception {
        Eventually.eventually(LONGEST, () -> assertThat(names()).containsExactly(names));
    }

    @Test
    void keepsAFileThatCanNotBeCompressedAndCompressesItWithTheNext() throws Exception {
        boolean[] full = {true};
        RolledFiles rolled = new RolledFiles(
                file(),
                roll(0, "0", RollConfig.Compress.GZIP),
                clock,
                path -> full[0] ? full(path) : Files.newOutputStream(path));
        write("access.log", "one\n");
        rolled.add(DATE);
        Eventually.eventually(
                LONGEST, () -> assertThat(rolled.failedCompressions()).isEqualTo(1));
        await("access.log.2026-11-03.0");
        assertThat(directory.resolve("access.log.2026-11-03.0")).hasContent("one");

        full[0] = false;
        write("access.log", "two\n");
        rolled.add(DATE);
        await("access.log.2026-11-03.0.gz", "access.log.2026-11-03.1.gz");
        assertThat(rolled.failedCompressions()).isEqualTo(1);
        rolled.close();
    }

    /** Creates a file that can't be written completely, as on a full disk. */
    private static OutputStream full(Path path) throws IOException {
        Files.createFile(path);
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("No space left on device");
            }
        };
    }

    @Test
    void completesTheWorkOfAKilledProcessAtTheNextStart() throws Exception {
        write("access.log.2026-11-02.0", "whole\n");
        write("access.log.2026-11-02.0.gz.tmp", "half");
        write("access.log.2026-11-02.0.gz.tmp.of-others", "theirs");
        FileSink sink = sink(roll(0, "0", RollConfig.Compress.GZIP));
        await("access.log", "access.log.2026-11-02.0.gz", "access.log.2026-11-02.0.gz.tmp.of-others");
        sink.close();
    }

    @Test
    void aRolledFileHasTheDateOfItsLinesAfterAClockJump() throws Exception {
        try (FileSink sink = sink(roll(0, "0", RollConfig.Compress.OFF))) {
            write(sink, "real");
            clock.to(LocalDate.of(2031, 1, 1));
            write(sink, "leapt");
            clock.to(DATE);
            write(sink, "back");
            clock.to(DATE.plusDays(1));
            write(sink, "next");
        }
        assertThat(names())
                .containsExactly(
                        "access.log", "access.log.2026-11-03.0", "access.log.2026-11-03.1", "access.log.2031-01-01.0");
        assertThat(directory.resolve("access.log.2026-11-03.0")).hasContent("real");
        assertThat(directory.resolve("access.log.2026-11-03.1")).hasContent("back");
        assertThat(directory.resolve("access.log.2031-01-01.0")).hasContent("leapt");
    }

    @Test
    void aForwardJumpOfTheClockDeletesNoFileForItsAge() throws Exception {
        write("access.log.2026-11-02.0", "young\n");
        Path witness = write("access.log.2026-10-01.0", "old\n");
        try (FileSink sink = sink(roll(7, "0", RollConfig.Compress.GZIP))) {
            Eventually.eventually(LONGEST, () -> assertThat(witness).doesNotExist());
            write(sink, "real");
            clock.to(LocalDate.of(2031, 1, 1));
            write(sink, "leapt");
            // The thread has processed all of them once it compressed the last.
            await("access.log", "access.log.2026-11-02.0.gz", "access.log.2026-11-03.0.gz");
            clock.to(DATE.plusDays(8));
            write(sink, "back");
            clock.to(DATE.plusDays(9));
            write(sink, "next");
            await("access.log", "access.log.2026-11-11.0.gz", "access.log.2031-01-01.0.gz");
        }
    }

    @Test
    void futureDatesAreDeletedFirst() throws Exception {
        String mebibyte = "x".repeat(1 << 20);
        write("access.log.2026-11-02.0", mebibyte);
        write("access.log.2031-01-01.0", mebibyte);
        try (FileSink sink = sink(roll(7, "1MiB", RollConfig.Compress.OFF))) {
            await("access.log", "access.log.2026-11-02.0");
            assertThat(sink.failedCompressions()).isZero();
        }
    }

    @Test
    void aFileOfAnEarlierProcessIsRolledUnderTheDateOfItsLastLine() throws Exception {
        Path earlier = write("access.log", "yesterday\n");
        Files.setLastModifiedTime(
                earlier, java.nio.file.attribute.FileTime.from(Instant.parse("2026-11-02T23:59:00Z")));
        try (FileSink sink = sink(roll(0, "0", RollConfig.Compress.OFF))) {
            write(sink, "today");
        }
        assertThat(directory.resolve("access.log.2026-11-02.0")).hasContent("yesterday");
        assertThat(file()).hasContent("today");
    }
}
