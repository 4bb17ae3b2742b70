package dev.lychgate.server.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Other users get no access to recordings, and can't divert them to other files. */
class PrivateFileTest {
    @TempDir
    Path home = Path.of("");

    private Path file() {
        return home.resolve("traffic.rec");
    }

    private static String permissions(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    private static void permit(Path file, String permissions) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----", "rw-rw-rw-", "rwxr-xr-x"})
    void aWriterWithdrawsThePermissionsOfOthers(String before) throws IOException {
        Recordings.write(file(), null, "one");
        permit(file(), before);

        Recordings.write(file(), null, "two");

        assertThat(permissions(file())).isEqualTo("rw-------");
        assertThat(Recordings.ids(file(), null)).containsExactly("one", "two");
    }

    @Test
    void anEmptyFileOfOtherPermissionsBecomesARecordingOfItsOwner() throws IOException {
        Files.createFile(file());
        permit(file(), "rw-r--r--");

        Recordings.write(file(), null, "one");

        assertThat(permissions(file())).isEqualTo("rw-------");
    }

    @ParameterizedTest
    @ValueSource(strings = {"notes", "notes of another program, longer than the header of a recording"})
    void aFileThatIsNoRecordingKeepsItsPermissions(String text) throws IOException {
        Files.writeString(file(), text);
        permit(file(), "rw-r--r--");

        assertThatThrownBy(() -> RecordingWriter.open(file(), null)).isInstanceOf(RecordingException.class);

        assertThat(permissions(file())).isEqualTo("rw-r--r--");
    }

    @Test
    void refusesSymbolicLinks() throws IOException {
        Path target = home.resolve("target");
        Files.createSymbolicLink(file(), target);
        assertThatThrownBy(() -> RecordingWriter.open(file(), null))
                .hasMessage(file() + ": a symbolic link (expected: a regular file, or no file)");
        assertThat(target).doesNotExist();

        Files.delete(file());
        Files.createSymbolicLink(home.resolve("traffic.rec.lock"), target);
        assertThatThrownBy(() -> RecordingWriter.open(file(), null)).hasMessageContaining(": a symbolic link");
        assertThat(target).doesNotExist();
        assertThat(file()).doesNotExist();
    }

    @Test
    void refusesADirectory() throws IOException {
        Files.createDirectory(file());

        assertThatThrownBy(() -> RecordingWriter.open(file(), null)).hasMessageContaining(": not a regular file");
    }

    @Test
    void refusesAFileOfAnotherUser() throws IOException {
        Recordings.write(file(), null, "one");
        assumeTrue(Files.getAttribute(file(), "unix:uid").equals(0), "only root can change owners");
        permit(file(), "rw-r--r--");
        Files.setAttribute(file(), "unix:uid", 4711);
        byte[] before = Files.readAllBytes(file());

        assertThatThrownBy(() -> RecordingWriter.open(file(), null)).hasMessage(file() + ": belongs to another user");

        assertThat(file()).hasBinaryContent(before);
        assertThat(permissions(file())).isEqualTo("rw-r--r--");
    }
}
