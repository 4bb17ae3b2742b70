package dev.lychgate.server.accesslog;

import dev.lychgate.config.RollConfig;
import dev.lychgate.gateway.StartFailure;
import dev.lychgate.server.handover.Predecessor;
import dev.lychgate.server.handover.Successor;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends lines to a file. The file is rolled when it is full, and before the first line of another date. Therefore,
 * all lines of a file have one date, even if the clock moves backwards. The name of the rolled file contains this date.
 *
 * <p>A failed write closes the file. The next write opens the file again by name.
 */
final class FileSink implements LineSink {
    private static final Logger LOG = LoggerFactory.getLogger(FileSink.class);
    private static final int FILE_TYPE = 0xf000;
    private static final int NAMED_PIPE = 0x1000;

    /**
     * Maps each open file to the number of sinks that write to it. If the settings of a log change but its file does
     * not, the replaced sink still writes its last lines, so the file must not be rolled.
     */
    private static final Map<Path, Integer> OPEN = new ConcurrentHashMap<>();

    private final File file;
    private final Path path;
    private final @Nullable RolledFiles rolled;
    private final Clock clock;
    private @Nullable OutputStream out;
    private long length;
    /** The file is rolled when it reaches this length, in bytes. */
    private long full;

    private LocalDate date;
    /**
     * Whether the file may end with a partial line. A start, a reopening or a failed write sets this field, and the
     * next successful write clears it.
     */
    private boolean mayEndWithinLine = true;

    /**
     * @param roll the settings for rolling the file; null if it is not rolled
     * @param clock determines the dates of rolled files, in the time zone of the clock
     * @throws StartFailure if the file can't be written
     */
    static FileSink open(String name, @Nullable RollConfig roll, Clock clock) {
        File file = new File(name);
        File directory = file.getAbsoluteFile().getParentFile();
        if (directory != null) {
            // The result is ignored, because a missing directory is detected when the file is opened.
            directory.mkdirs();
        }
        try {
            FileSink sink = new FileSink(file, roll, clock);
            sink.opened();
            if (OPEN.merge(sink.path, 1, Integer::sum) == 1 && sink.rolled != null) {
                // Deletes files that have expired since the previous process ended, and compresses files that this
                // process left uncompressed.
                sink.rolled.tidy(true);
            }
            return sink;
        } catch (IOException e) {
            throw new StartFailure("access-log: can't write to " + file + ": " + e.getMessage());
        }
    }

    private FileSink(File file, @Nullable RollConfig roll, Clock clock) {
        this.file = file;
        this.path = file.toPath().toAbsolutePath().normalize();
        this.clock = clock;
        this.rolled =
                roll == null || (file.exists() && !file.isFile()) ? null : new RolledFiles(file.toPath(), roll, clock);
        this.date = LocalDate.ofInstant(
                file.length() > 0 ? Instant.ofEpochMilli(file.lastModified()) : clock.instant(), clock.getZone());
    }

    private OutputStream opened() throws IOException {
        if (out != null) {
            return out;
        }
        // A named pipe is opened for reading and writing, because opening it only for writing would block until the
        // pipe has a reader.
        OutputStream opened = isPipe(file.toPath())
                ? new FileOutputStream(new RandomAccessFile(file, "rw").getFD())
                : new FileOutputStream(file, true);
        out = opened;
        length = file.length();
        full = rolled == null ? Long.MAX_VALUE : rolled.size();
        return opened;
    }

    private static boolean isPipe(Path path) {
        try {
            return Files.getAttribute(path, "unix:mode") instanceof Integer mode && (mode & FILE_TYPE) == NAMED_PIPE;
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            // The file does not exist yet, or the system has no named pipes.
            return false;
        }
    }

    @Override
    public void write(byte[] lines) {
        try {
            roll();
            OutputStream to = opened();
            byte[] whole = mayEndWithinLine && endsWithinLine() ? onNewLine(lines) : lines;
            mayEndWithinLine = true;
            to.write(whole);
            length += whole.length;
            mayEndWithinLine = false;
        } catch (IOException e) {
            closeFile();
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    private void roll() throws IOException {
        LocalDate today = LocalDate.now(clock);
        if (rolled == null || (today.equals(date) && length < full)) {
            return;
        }
        if (Predecessor.isPresent() || Successor.hasTakenOver() || OPEN.getOrDefault(path, 1) > 1) {
            // The file is not rolled while another process writes to it (during an upgrade) or another sink writes to
            // it (after a change of the settings). Otherwise, the file would be compressed while it is in use.
            return;
        }
        LocalDate before = date;
        date = today;
        if (length == 0) {
            return;
        }
        closeFile();
        try {
            rolled.add(before);
        } catch (IOException e) {
            LOG.warn("access log: {} can't be rolled, so it stays in use: {}", file, e.toString());
            opened();
            full = length + rolled.size();
        }
    }

    private static byte[] onNewLine(byte[] lines) {
        byte[] whole = new byte[lines.length + 1];
        whole[0] = '\n';
        System.arraycopy(lines, 0, whole, 1, lines.length);
        return whole;
    }

    /**
     * Returns whether the last line of the file is incomplete. This is the case if the disk was full, or if an earlier
     * process ended during a write.
     */
    private boolean endsWithinLine() {
        if (!file.isFile()) {
            return false;
        }
        try (RandomAccessFile end = new RandomAccessFile(file, "r")) {
            if (end.length() == 0) {
                return false;
            }
            end.seek(end.length() - 1);
            return end.read() != '\n';
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void reopen() {
        OutputStream before = out;
        out = null;
        mayEndWithinLine = true;
        try {
            opened();
        } catch (IOException e) {
            out = before;
            throw new UncheckedIOException(e.getMessage(), e);
        }
        close(before);
    }

    @Override
    public long failedCompressions() {
        return rolled == null ? 0 : rolled.failedCompressions();
    }

    private void closeFile() {
        close(out);
        out = null;
    }

    private static void close(@Nullable OutputStream stream) {
        if (stream != null) {
            try {
                stream.close();
            } catch (IOException e) {
                LOG.debug("access log: the file can't be closed", e);
            }
        }
    }

    @Override
    public void close() {
        closeFile();
        OPEN.computeIfPresent(path, (open, sinks) -> sinks == 1 ? null : sinks - 1);
        if (rolled != null) {
            rolled.close();
        }
    }
}
