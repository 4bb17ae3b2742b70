package dev.lychgate.server.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.ByteSize;
import dev.lychgate.config.RecordConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordingSearchTest {
    @TempDir
    Path home = Path.of("");

    private Path file() {
        return home.resolve("traffic.rec");
    }

    private RecordingSearch search(@Nullable Path key) {
        return new RecordingSearch(new RecordConfig(
                file().toString(),
                List.of(),
                new RecordConfig.Redact(List.of(), List.of(), List.of()),
                ByteSize.ofKiB(1),
                key == null ? null : key.toString(),
                ByteSize.ofMiB(1024)));
    }

    private Path key() throws IOException {
        return Files.writeString(home.resolve("record.key"), "a".repeat(64) + "\n");
    }

    private static String id(Optional<byte[]> line) throws IOException {
        return RecordingJson.read(line.orElseThrow()).id();
    }

    @Test
    void findsAnExchangeOfAnyBlockAndNoOther() throws IOException {
        for (int i = 0; i < 20; i++) {
            Recordings.write(file(), null, "first-" + i, "second-" + i);
        }

        for (int i = 0; i < 20; i++) {
            assertThat(id(search(null).find("first-" + i))).isEqualTo("first-" + i);
            assertThat(id(search(null).find("second-" + i))).isEqualTo("second-" + i);
        }
        assertThat(search(null).find("first")).isEmpty();
        assertThat(search(null).find("")).isEmpty();
        assertThat(search(null).find("\",\"time")).isEmpty();
    }

    @Test
    void returnsTheLastOfSeveralWithTheSameId() throws IOException {
        Recordings.write(file(), null, "same", "same");
        try (RecordingWriter writer = RecordingWriter.open(file(), null)) {
            byte[] line = RecordingJson.line(Recordings.exchange("same"));
            String later = new String(line, StandardCharsets.US_ASCII).replaceFirst("\"time\":\\d+", "\"time\":1");
            writer.add(later.getBytes(StandardCharsets.US_ASCII));
        }
        Recordings.write(file(), null, "other");

        assertThat(RecordingJson.read(search(null).find("same").orElseThrow()).time())
                .isEqualTo(1);
    }

    @Test
    void searchesTheOlderPartToo() throws IOException {
        Recordings.write(file(), null, "old");
        Files.move(file(), home.resolve("traffic.rec.1"));

        assertThat(id(search(null).find("old"))).isEqualTo("old");
        Recordings.write(file(), null, "new");
        assertThat(id(search(null).find("old"))).isEqualTo("old");
    }

    @Test
    void findsNothingBeforeTheFirstExchange() throws IOException {
        assertThat(search(null).find("any")).isEmpty();
    }

    @Test
    void decryptsWithTheKeyOfTheGateway() throws IOException {
        Path key = key();
        Recordings.write(file(), RecordingKey.read(key), "one");
        Recordings.write(file(), RecordingKey.read(key), "two");

        assertThat(id(search(key).find("one"))).isEqualTo("one");
        assertThat(id(search(key).find("two"))).isEqualTo("two");
        assertThatThrownBy(() -> search(null).find("one")).hasMessageContaining("encrypted");
    }

    @Test
    void findsTheCompleteBlocksOfAFileThatIsWritten() throws IOException {
        Recordings.write(file(), null, "one");
        byte[] whole = Files.readAllBytes(file());
        Recordings.write(file(), null, "two");
        byte[] both = Files.readAllBytes(file());
        Files.write(file(), Arrays.copyOf(both, whole.length + 3));

        assertThat(id(search(null).find("one"))).isEqualTo("one");
        assertThat(search(null).find("two")).isEmpty();
    }
}
