package dev.lychgate.server.accesslog;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import ch.qos.logback.core.recovery.ResilientFileOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskWatchTest {
    private final DiskWatch disk = new DiskWatch();

    @Test
    void saysWithEveryFlushThatAFullDiskLosesLines() throws IOException {
        File full = new File("/dev/full");
        assumeThat(full).as("a disk that is always full").exists();
        ResilientFileOutputStream out = new ResilientFileOutputStream(full, true, 8192);
        for (int i = 0; i < 3; i++) {
            write(out, "a line");
            assertThatThrownBy(disk::afterFlush)
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessage("No space left on device");
        }
    }

    @Test
    void isContentWithADiskThatTakesThem(@TempDir Path directory) throws IOException {
        try (ResilientFileOutputStream out =
                new ResilientFileOutputStream(directory.resolve("log").toFile(), true, 8192)) {
            write(out, "a line");
            assertThatCode(disk::afterFlush).doesNotThrowAnyException();
        }
    }

    @Test
    void forgivesOnceThereIsRoomAgain(@TempDir Path directory) throws IOException {
        try (ResilientFileOutputStream out =
                new ResilientFileOutputStream(directory.resolve("log").toFile(), true, 8192)) {
            disk.afterWrite(out);
            out.postIOFailure(new IOException("No space left on device"));
            assertThatThrownBy(disk::afterFlush).hasMessage("No space left on device");
            // The stream's first success is its recovery; what came before it may be missing.
            out.flush();
            assertThatThrownBy(disk::afterFlush).hasMessage("No space left on device");
            assertThatCode(disk::afterFlush).doesNotThrowAnyException();
        }
    }

    private void write(ResilientFileOutputStream out, String line) {
        byte[] bytes = line.getBytes(US_ASCII);
        out.write(bytes, 0, bytes.length);
        disk.afterWrite(out);
        out.flush();
    }
}
