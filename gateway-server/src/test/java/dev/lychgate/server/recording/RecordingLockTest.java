package dev.lychgate.server.recording;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.ByteSize;
import dev.lychgate.config.RecordConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Only one writer has a recording, among all processes. */
class RecordingLockTest {
    private static final String REFUSED = ": another process records into this file";

    @TempDir
    Path home = Path.of("");

    private Path file() {
        return home.resolve("traffic.rec");
    }

    /** Another process that appends an exchange to a recording, or prints the reason why it can't. */
    static final class Other {
        private Other() {}

        public static void main(String[] args) {
            try {
                Recordings.write(Path.of(args[0]), null, "foreign");
                System.out.print("written");
            } catch (IOException e) {
                System.out.print(RecordingException.text(e));
            }
        }
    }

    private static String otherProcess(Path recording) throws Exception {
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Other.class.getName(),
                        recording.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String out = new String(other.getInputStream().readAllBytes(), UTF_8);
        assertThat(other.waitFor()).isZero();
        return out;
    }

    @Test
    void readersOfTheSameProcessDoNotReleaseTheLock() throws Exception {
        RecordConfig.Redact none = new RecordConfig.Redact(List.of(), List.of(), List.of());
        RecordConfig config =
                new RecordConfig(file().toString(), List.of(), none, ByteSize.ofKiB(64), null, ByteSize.ofMiB(1));
        try (RecordingWriter writer = RecordingWriter.open(file(), null)) {
            writer.add(RecordingJson.line(Recordings.exchange("own")));
            writer.flush();
            assertThat(Recordings.ids(file(), null)).containsExactly("own");
            assertThat(new RecordingSearch(config).find("own")).isPresent();
            // Neither does a refused writer of this process.
            assertThatThrownBy(() -> RecordingWriter.open(file(), null)).hasMessageEndingWith(REFUSED);

            assertThat(otherProcess(file())).isEqualTo(file() + REFUSED);

            writer.add(RecordingJson.line(Recordings.exchange("next")));
        }
        assertThat(Recordings.ids(file(), null)).containsExactly("own", "next");
        assertThat(otherProcess(file())).isEqualTo("written");
        assertThat(Recordings.ids(file(), null)).containsExactly("own", "next", "foreign");
    }

    @Test
    void theLockOfARecordingCoversItsOlderPartAndOtherNamesOfItsDirectory() throws IOException {
        Path link = Files.createSymbolicLink(home.resolve("link"), Files.createDirectory(home.resolve("real")));
        try (RecordingWriter writer = RecordingWriter.open(link.resolve("traffic.rec"), null)) {
            assertThat(writer.length()).isPositive();
            assertThatThrownBy(() -> RecordingWriter.open(home.resolve("real/traffic.rec"), null))
                    .hasMessageEndingWith(REFUSED);
            assertThatThrownBy(() -> RecordingWriter.open(home.resolve("real/traffic.rec.1"), null))
                    .hasMessageEndingWith(REFUSED);
        }
        Recordings.write(home.resolve("real/traffic.rec.1"), null, "one");
    }

    @Test
    void theLockedFileIsEmptyAndStays() throws IOException {
        Recordings.write(file(), null, "one");

        Path lock = home.resolve("traffic.rec.lock");
        assertThat(lock).isEmptyFile();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(lock)))
                .isEqualTo("rw-------");
    }

    @Test
    void aWriterThatCannotOpenItsFileReleasesTheLock() throws IOException {
        Files.writeString(file(), "notes of another program, longer than the header of a recording");
        assertThatThrownBy(() -> RecordingWriter.open(file(), null)).isInstanceOf(RecordingException.class);
        Files.delete(file());

        Recordings.write(file(), null, "one");

        assertThat(Recordings.ids(file(), null)).containsExactly("one");
    }
}
