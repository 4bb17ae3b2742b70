package dev.lychgate.server.accesslog;

import dev.lychgate.server.logwriter.LogOutput;
import dev.lychgate.server.logwriter.LogQueue;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a line per item to a file or a stream. Writes are batched, because one large write is much cheaper than many
 * small ones.
 */
final class LineOutput implements LogOutput<LoggedItem> {
    private static final Logger LOG = LoggerFactory.getLogger(LineOutput.class);
    private static final byte[] END = LineBuffer.constant(System.lineSeparator());

    /** A batch of at least this number of bytes is written without further delay. */
    private static final int ENOUGH = 256 << 10;

    /** The longest time for which a line waits for the rest of its batch, in nanoseconds. */
    private static final long LONGEST_WAIT = Duration.ofMillis(100).toNanos();

    private final LineFormat format;
    private final LineSink sink;
    private final LogQueue<LoggedItem> queue;
    private final LineBuffer lines = new LineBuffer(16 << 10);
    private volatile long written;
    private volatile int waiting;
    private long firstAt;
    private boolean failed;

    /** @param queue the queue that counts lost lines */
    LineOutput(LineFormat format, LineSink sink, LogQueue<LoggedItem> queue) {
        this.format = format;
        this.sink = sink;
        this.queue = queue;
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer, many readers
    public void write(LoggedItem item) {
        if (item instanceof LoggedChange && !format.hasChanges()) {
            return;
        }
        int before = lines.length();
        try {
            append(item);
            lines.append(END);
        } catch (RuntimeException e) {
            lines.truncate(before);
            queue.lost(1);
            failed(e);
            return;
        }
        if (waiting++ == 0) {
            firstAt = System.nanoTime();
        }
        if (lines.length() >= ENOUGH) {
            bringOut();
        }
    }

    private void append(LoggedItem item) {
        if (item instanceof AccessRecord record) {
            format.append(lines, record);
        } else {
            ((LoggedChange) item).append(lines);
        }
    }

    @Override
    public void look() {
        if (waiting > 0 && System.nanoTime() - firstAt >= LONGEST_WAIT) {
            bringOut();
        }
    }

    /**
     * Writes the batch. If the write fails, all lines of the batch count as lost, because the number of written bytes
     * is unknown.
     */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer, many readers
    private void bringOut() {
        try {
            sink.write(lines.take());
            written += waiting;
        } catch (RuntimeException e) {
            queue.lost(waiting);
            failed(e);
        }
        waiting = 0;
    }

    /** Logs only the first failure. The writer reports the number of lost lines at intervals. */
    private void failed(RuntimeException cause) {
        if (failed) {
            return;
        }
        failed = true;
        if (cause instanceof UncheckedIOException) {
            LOG.error("access log: lines can't be written and are lost: {}", String.valueOf(cause.getMessage()));
        } else {
            LOG.error("access log: lines can't be written and are lost", cause);
        }
    }

    /** Returns the number of lines that were passed to the file or stream. Thread-safe. */
    long written() {
        return written;
    }

    /** Returns the number of lines that are formatted but neither written nor lost. Thread-safe. */
    int waiting() {
        return waiting;
    }

    /** Returns how often the compression of a rolled file failed. Thread-safe. */
    long failedCompressions() {
        return sink.failedCompressions();
    }

    /** Reopens the file. Buffered lines are first written to the previous file. */
    @Override
    public void reopen() {
        if (waiting > 0) {
            bringOut();
        }
        try {
            sink.reopen();
        } catch (UncheckedIOException e) {
            LOG.error("access log: the file can't be reopened, so lines go to the old file: {}", e.getMessage());
        }
    }

    @Override
    public void close() {
        if (waiting > 0) {
            bringOut();
        }
        sink.close();
    }
}
