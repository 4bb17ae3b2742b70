package dev.lychgate.server.recording;

import dev.lychgate.config.RecordConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The last exchanges of a recording, from the oldest to the newest. A gateway may append to the recording at the same
 * time. At most 16 MiB of lines are kept in memory, and they are parsed one by one.
 */
public final class RecentRecordings {
    /** The number of stored bytes to read at the end of a file. */
    private static final long TAIL = 16 << 20;
    /** The maximum size of all kept lines together, in bytes. */
    private static final long MOST = 16 << 20;

    private final int most;
    private final Deque<byte[]> lines = new ArrayDeque<>();
    private long bytes;

    private RecentRecordings(int most) {
        this.most = most;
    }

    /**
     * Reads the last exchanges of a recording, from its current file and its older file.
     *
     * @param most the maximum number of exchanges
     * @throws IOException if a file, or its key, can't be read
     */
    public static RecentRecordings of(RecordConfig record, int most) throws IOException {
        RecentRecordings recent = new RecentRecordings(most);
        RecordingKey key = record.encrypt() == null ? null : RecordingKey.read(Path.of(record.encrypt()));
        recent.read(Path.of(record.file() + RecordingFormat.OLDER), key);
        recent.read(Path.of(record.file()), key);
        return recent;
    }

    private void read(Path file, @Nullable RecordingKey key) throws IOException {
        try (RecordingReader reader = RecordingReader.open(file, key)) {
            reader.skipTo(Files.size(file) - TAIL);
            for (byte[] line = reader.nextLine(); line != null; line = reader.nextLine()) {
                add(line);
            }
        } catch (NoSuchFileException e) {
            // Nothing was recorded yet, or the file has just become the older part.
        }
    }

    private void add(byte[] line) {
        lines.add(line);
        bytes += line.length;
        while (lines.size() > most || (bytes > MOST && lines.size() > 1)) {
            bytes -= lines.remove().length;
        }
    }

    /** Returns the number of exchanges that {@link #next} has not returned yet. */
    public int size() {
        return lines.size();
    }

    /**
     * Removes and returns the next exchange; null if no exchange is left.
     *
     * @throws RecordingException if it is malformed
     */
    public @Nullable Recording next() throws RecordingException {
        byte[] line = lines.poll();
        return line == null ? null : RecordingJson.read(line);
    }
}
