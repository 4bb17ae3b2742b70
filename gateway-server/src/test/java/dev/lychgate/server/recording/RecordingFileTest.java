package dev.lychgate.server.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of recordings, as written, truncated, and as an attack. */
class RecordingFileTest {
    @TempDir
    Path home = Path.of("");

    private Path file() {
        return home.resolve("traffic.rec");
    }

    private RecordingKey key(char digit) throws IOException {
        Path key = home.resolve(digit + ".key");
        Files.writeString(key, String.valueOf(digit).repeat(64) + "\n");
        return RecordingKey.read(key);
    }

    @Test
    void returnsEveryValueThatWasWritten() throws IOException {
        Recordings.write(file(), null, "one");

        try (RecordingReader reader = RecordingReader.open(file(), null)) {
            Recording read = reader.next();
            assertThat(read).usingRecursiveComparison().isEqualTo(Recordings.exchange("one"));
            assertThat(reader.next()).isNull();
            assertThat(reader.isTruncated()).isFalse();
        }
    }

    @Test
    void appendsToAnExistingRecording() throws IOException {
        Recordings.write(file(), null, "one", "two");
        Recordings.write(file(), null, "three");

        assertThat(Recordings.ids(file(), null)).containsExactly("one", "two", "three");
    }

    @Test
    void createsAFileThatOnlyItsOwnerReads() throws IOException {
        Recordings.write(file(), null, "one");

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");
    }

    /** Returns the end of the last block, where the end mark begins. */
    private int endOfBlocks(@Nullable RecordingKey key) throws IOException {
        try (RecordingReader reader = RecordingReader.open(file(), key)) {
            reader.skipAll();
            return (int) reader.end();
        }
    }

    private boolean isTruncated(@Nullable RecordingKey key) throws IOException {
        try (RecordingReader reader = RecordingReader.open(file(), key)) {
            reader.skipAll();
            return reader.isTruncated();
        }
    }

    private void truncate(byte[] whole, int length) throws IOException {
        Files.write(file(), Arrays.copyOf(whole, length));
    }

    @Test
    void keepsCompleteBlocksWhereverTheFileIsTruncated() throws IOException {
        Recordings.write(file(), null, "one");
        int first = endOfBlocks(null);
        Recordings.write(file(), null, "two");
        int second = endOfBlocks(null);
        byte[] whole = Files.readAllBytes(file());
        for (int length = first; length < whole.length; length++) {
            truncate(whole, length);

            assertThat(Recordings.ids(file(), null))
                    .as("length %d", length)
                    .isEqualTo(length < second ? List.of("one") : List.of("one", "two"));
            assertThat(isTruncated(null)).as("length %d", length).isTrue();
        }
    }

    @Test
    void continuesAfterAnIncompleteBlock() throws IOException {
        Recordings.write(file(), null, "one", "two");
        truncate(Files.readAllBytes(file()), endOfBlocks(null) - 7);

        Recordings.write(file(), null, "three");

        assertThat(Recordings.ids(file(), null)).containsExactly("one", "three");
        assertThat(isTruncated(null)).isFalse();
    }

    @Test
    void beginsAgainIfTheFirstBlockIsIncomplete() throws IOException {
        Recordings.write(file(), key('a'), "one");
        truncate(Files.readAllBytes(file()), RecordingFormat.HEADER + 5);

        Recordings.write(file(), key('a'), "two");

        assertThat(Recordings.ids(file(), key('a'))).containsExactly("two");
    }

    @Test
    void aReaderFollowsARecordingThatGrows() throws IOException {
        try (RecordingWriter writer = RecordingWriter.open(file(), key('a'))) {
            writer.add(RecordingJson.line(Recordings.exchange("one")));
            writer.flush();
            try (RecordingReader reader = RecordingReader.open(file(), key('a'))) {
                writer.add(RecordingJson.line(Recordings.exchange("two")));
                writer.flush();

                assertThat(reader.next()).extracting(Recording::id).isEqualTo("one");
                assertThat(reader.next()).extracting(Recording::id).isEqualTo("two");
                assertThat(reader.next()).isNull();
                assertThat(reader.isTruncated()).isFalse();
            }
        }
    }

    @Test
    void neverOverwritesAFileThatIsNoRecording() throws IOException {
        Files.writeString(file(), "important notes of another program, longer than a header");

        assertThatThrownBy(() -> RecordingWriter.open(file(), null))
                .isInstanceOf(RecordingException.class)
                .hasMessageEndingWith("not a recording of Lychgate");
        assertThat(file()).content().startsWith("important notes");

        Files.writeString(file(), "short");
        assertThatThrownBy(() -> RecordingWriter.open(file(), null)).isInstanceOf(RecordingException.class);
        assertThat(file()).content().isEqualTo("short");
    }

    @Test
    void refusesASecondWriter() throws IOException {
        try (RecordingWriter first = RecordingWriter.open(file(), null)) {
            assertThat(first.length()).isPositive();
            assertThatThrownBy(() -> RecordingWriter.open(file(), null))
                    .hasMessageEndingWith("another process records into this file");
        }
    }

    // ---- encryption

    @Test
    void encryptedRecordingsContainNoPlainText() throws IOException {
        Recordings.write(file(), key('a'), "one", "two");

        assertThat(Recordings.ids(file(), key('a'))).containsExactly("one", "two");
        assertThatThrownBy(() -> Recordings.ids(file(), null))
                .hasMessageEndingWith("the recording is encrypted (expected: a key)");
        assertThatThrownBy(() -> Recordings.ids(file(), key('b')))
                .hasMessageEndingWith("the recording is encrypted with another key, or the block was changed");
    }

    @Test
    void detectsMissingBlocksAtTheEnd() throws IOException {
        Recordings.write(file(), key('a'), "one");
        int first = endOfBlocks(key('a'));
        Recordings.write(file(), key('a'), "two");
        truncate(Files.readAllBytes(file()), first);

        assertThat(Recordings.ids(file(), key('a'))).containsExactly("one");
        assertThat(isTruncated(key('a'))).isTrue();
        // Another end mark would conceal it.
        assertThatThrownBy(() -> RecordingWriter.open(file(), key('a')))
                .hasMessageEndingWith("the end of the recording is missing");
    }

    @Test
    void detectsAnEndMarkFromAnotherPlace() throws IOException {
        Recordings.write(file(), key('a'), "one");
        int first = endOfBlocks(key('a'));
        Recordings.write(file(), key('a'), "two");
        int second = endOfBlocks(key('a'));
        byte[] whole = Files.readAllBytes(file());
        byte[] forged = Arrays.copyOf(whole, first + whole.length - second);
        System.arraycopy(whole, second, forged, first, whole.length - second);
        Files.write(file(), forged);

        assertThatThrownBy(() -> isTruncated(key('a')))
                .hasMessageEndingWith("the recording is encrypted with another key, or the block was changed");
    }

    @Test
    void refusesBytesAfterTheEndMark() throws IOException {
        Recordings.write(file(), key('a'), "one");
        byte[] whole = Files.readAllBytes(file());
        truncate(whole, whole.length + 1);

        assertThatThrownBy(() -> isTruncated(key('a'))).hasMessageEndingWith("bytes follow the end mark");
    }

    @Test
    void detectsBlocksThatWereExchanged() throws IOException {
        Recordings.write(file(), key('a'), "one");
        int first = endOfBlocks(key('a'));
        Recordings.write(file(), key('a'), "two");
        int second = endOfBlocks(key('a'));
        byte[] whole = Files.readAllBytes(file());
        ByteArrayOutputStream swapped = new ByteArrayOutputStream();
        swapped.write(whole, 0, RecordingFormat.HEADER);
        swapped.write(whole, first, second - first);
        swapped.write(whole, RecordingFormat.HEADER, first - RecordingFormat.HEADER);
        swapped.write(whole, second, whole.length - second);
        Files.write(file(), swapped.toByteArray());

        assertThatThrownBy(() -> Recordings.ids(file(), key('a')))
                .hasMessageEndingWith("the recording is encrypted with another key, or the block was changed");
    }

    @Test
    void refusesAMalformedKey() throws IOException {
        Path key = home.resolve("bad.key");
        Files.writeString(key, "secret");

        assertThatThrownBy(() -> RecordingKey.read(key))
                .hasMessageEndingWith("not a key (expected: 32 bytes, or 64 hexadecimal digits)");
    }

    // ---- attacks

    private void block(byte[] stored, int plainLength, int storedLength) throws IOException {
        Files.deleteIfExists(file());
        Recordings.write(file(), null);
        ByteBuffer head = ByteBuffer.allocate(RecordingFormat.BLOCK_HEADER)
                .putInt(RecordingFormat.BLOCK)
                .putInt(storedLength)
                .putInt(plainLength)
                .putInt(RecordingFormat.checksum(stored, stored.length));
        head.putInt(RecordingFormat.checksum(head.array(), RecordingFormat.CHECKED));
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(Arrays.copyOf(Files.readAllBytes(file()), RecordingFormat.HEADER));
        all.writeBytes(head.array());
        all.writeBytes(stored);
        Files.write(file(), all.toByteArray());
    }

    private static byte[] deflated(byte[] plain) {
        Deflater deflater = new Deflater(9, true);
        deflater.setInput(plain);
        deflater.finish();
        byte[] out = new byte[plain.length + 1024];
        int length = deflater.deflate(out);
        deflater.end();
        return Arrays.copyOf(out, length);
    }

    private void assertRefused(String problem) {
        assertThatThrownBy(() -> Recordings.ids(file(), null))
                .isInstanceOf(RecordingException.class)
                .hasMessageContaining(problem);
    }

    @Test
    void refusesLengthsThatTheFormatDoesNotAllow() throws IOException {
        block(new byte[10], Integer.MAX_VALUE, 10);
        assertRefused("is out of range");
        block(new byte[10], 10, -1);
        assertRefused("is out of range");
        block(new byte[10], 1 << 20, 10);
        assertRefused("can't contain");
    }

    @Test
    void refusesBlocksThatInflateToAnotherLength() throws IOException {
        byte[] bomb = deflated(new byte[1 << 20]);
        block(bomb, 1 << 10, bomb.length);
        assertRefused("the lines are not 1024 bytes long");
        block(bomb, (1 << 20) + 1, bomb.length);
        assertRefused("the lines are not 1048577 bytes long");
    }

    @Test
    void refusesMillionsOfEmptyLines() throws IOException {
        byte[] lines = "\n".repeat(1 << 20).getBytes(StandardCharsets.US_ASCII);
        byte[] stored = deflated(lines);
        block(stored, lines.length, stored.length);

        assertRefused("more than 16384 lines");
    }

    @Test
    void refusesJsonOfAnotherShape() throws IOException {
        for (String line : List.of(
                "[",
                "{}",
                "7",
                "[".repeat(100),
                "{\"id\":1}",
                "{\"id\":\"a\",\"id\":\"b\"}",
                "{\"id\":\"a\"} {}",
                "{\"id\":" + "9".repeat(1000) + "}")) {
            byte[] lines = (line + "\n").getBytes(StandardCharsets.UTF_8);
            byte[] stored = deflated(lines);
            block(stored, lines.length, stored.length);

            assertRefused("block 1: ");
        }
    }

    /** Whatever happens to a file, reading ends with exchanges or with one clear error. */
    @Test
    void anyDamageEndsInAClearError() throws IOException {
        Recordings.write(file(), null, "one", "two", "three");
        byte[] plain = Files.readAllBytes(file());
        Recordings.write(home.resolve("e.rec"), key('a'), "one", "two", "three");
        byte[] encrypted = Files.readAllBytes(home.resolve("e.rec"));
        SplittableRandom random = new SplittableRandom(24);
        Path damaged = home.resolve("damaged.rec");
        int errors = 0;
        for (int i = 0; i < 1_500; i++) {
            boolean secret = i % 3 == 0;
            Files.write(damaged, damage((secret ? encrypted : plain).clone(), random));
            try {
                assertThat(Recordings.ids(damaged, secret ? key('a') : null)).isSubsetOf("one", "two", "three");
            } catch (RecordingException e) {
                errors++;
                assertThat(e.getMessage()).contains("damaged.rec").isNotBlank();
            }
        }
        assertThat(errors).isGreaterThan(1_000);
    }

    private static byte[] damage(byte[] file, SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> {
                int bit = random.nextInt(file.length * 8);
                file[bit / 8] ^= (byte) (1 << bit % 8);
                yield file;
            }
            case 1 -> {
                for (int i = random.nextInt(1, 20); i > 0; i--) {
                    file[random.nextInt(file.length)] = (byte) random.nextInt();
                }
                yield file;
            }
            case 2 -> {
                int from = random.nextInt(file.length);
                int to = random.nextInt(from, file.length);
                byte[] shorter = Arrays.copyOf(file, file.length - (to - from));
                System.arraycopy(file, to, shorter, from, file.length - to);
                yield shorter;
            }
            default -> {
                byte[] garbage = new byte[random.nextInt(4096)];
                random.nextBytes(garbage);
                yield garbage;
            }
        };
    }

    /** The content of an intact block is attacked, too: its author can compute checksums. */
    @Test
    void anyDamageOfTheJsonEndsInAClearError() throws IOException {
        byte[] line = RecordingJson.line(Recordings.exchange("one"));
        SplittableRandom random = new SplittableRandom(25);
        for (int i = 0; i < 1_000; i++) {
            byte[] damaged = damage(line.clone(), random);
            try {
                assertThat(RecordingJson.read(damaged).request().method()).isNotEmpty();
            } catch (RecordingException e) {
                assertThat(e.getMessage()).isNotBlank();
            }
        }
    }
}
