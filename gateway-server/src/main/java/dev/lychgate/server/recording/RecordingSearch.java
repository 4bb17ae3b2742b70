package dev.lychgate.server.recording;

import dev.lychgate.config.RecordConfig;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds exchanges in the recording of a running gateway and in the older part of the recording. Thread-safe. */
public final class RecordingSearch {
    private final RecordConfig record;

    /** @param record the recording to which the gateway appends */
    public RecordingSearch(RecordConfig record) {
        this.record = record;
    }

    /**
     * Returns the last recorded exchange of a request as one line of JSON. If the recording does not contain such an
     * exchange, this method reads the whole recording.
     *
     * @param id the id of the request
     * @throws IOException if a file, or its key, can't be read
     */
    public Optional<byte[]> find(String id) throws IOException {
        RecordingKey key = record.encrypt() == null ? null : RecordingKey.read(Path.of(record.encrypt()));
        byte[] beginning = RecordingJson.beginning(id);
        byte[] found = find(Path.of(record.file()), key, beginning);
        if (found == null) {
            found = find(Path.of(record.file() + RecordingFormat.OLDER), key, beginning);
        }
        return Optional.ofNullable(found);
    }

    private static byte @Nullable [] find(Path file, @Nullable RecordingKey key, byte[] beginning) throws IOException {
        try (RecordingReader reader = RecordingReader.open(file, key)) {
            return reader.last(line -> line.length > beginning.length
                    && Arrays.equals(line, 0, beginning.length, beginning, 0, beginning.length));
        } catch (NoSuchFileException e) {
            // Nothing was recorded yet, or the file has just become the older part.
            return null;
        }
    }
}
