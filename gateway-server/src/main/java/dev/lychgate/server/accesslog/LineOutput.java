package dev.lychgate.server.accesslog;

import java.io.UncheckedIOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes a line for each record to a file or a stream. */
final class LineOutput implements RecordOutput {
    private static final Logger LOG = LoggerFactory.getLogger(LineOutput.class);

    private final LineFormat format;
    private final LineSink sink;
    private final AccessLogQueue queue;
    private final StringBuilder line = new StringBuilder(1024);
    private volatile long written;
    private boolean failed;

    /** Lines that are in the sink and may still be lost. */
    private long unflushed;

    /** @param queue is told what is lost */
    LineOutput(LineFormat format, LineSink sink, AccessLogQueue queue) {
        this.format = format;
        this.sink = sink;
        this.queue = queue;
    }

    @Override
    public void write(AccessRecord record) {
        try {
            line.setLength(0);
            format.append(line, record);
            sink.write(line.toString());
            unflushed++;
        } catch (RuntimeException e) {
            queue.lost(1);
            failed(e);
        }
    }

    /** A batch that did not come out whole counts as lost: how much of it did, nobody tells us. */
    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer, many readers
    public void flush() {
        try {
            sink.flush();
            written += unflushed;
        } catch (RuntimeException e) {
            queue.lost(unflushed);
            failed(e);
        }
        unflushed = 0;
    }

    /** Once is enough; that lines are missing is said by the writer. */
    private void failed(RuntimeException cause) {
        if (failed) {
            return;
        }
        failed = true;
        if (cause instanceof UncheckedIOException) {
            LOG.error("the access log can't be written: {}", String.valueOf(cause.getMessage()));
        } else {
            LOG.error("the access log can't be written", cause);
        }
    }

    /** Lines handed to the file or stream. Any thread. */
    long written() {
        return written;
    }

    @Override
    public void close() {
        sink.close();
    }
}
