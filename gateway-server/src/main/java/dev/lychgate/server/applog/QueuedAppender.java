package dev.lychgate.server.applog;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import ch.qos.logback.core.encoder.Encoder;
import dev.lychgate.server.logwriter.LogOutput;
import dev.lychgate.server.logwriter.LogQueue;
import dev.lychgate.server.logwriter.LogWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes the application log on a separate thread, so that a blocked standard error does not block event loops. A
 * logging thread formats its lines and queues them. The queue holds at most {@value #LINES} lines and {@value #BYTES}
 * bytes. Further lines are dropped and counted. The number of dropped lines is logged as soon as writes succeed.
 */
final class QueuedAppender extends UnsynchronizedAppenderBase<ILoggingEvent> {
    static final int LINES = 8192;
    static final int BYTES = 1 << 20;
    private static final Duration NAP = Duration.ofSeconds(10);

    /** The time limit for writing queued lines at the end of the process. */
    static final Duration END = Duration.ofSeconds(2);

    private final LogQueue<byte[]> queue = new LogQueue<>(LINES);
    private final AtomicLong waiting = new AtomicLong();
    private final LogWriter<byte[]> writer;
    private volatile Encoder<ILoggingEvent> encoder;

    QueuedAppender(OutputStream out, Encoder<ILoggingEvent> encoder) {
        this.encoder = encoder;
        this.writer = new LogWriter<>("application log", queue, List.of(new Lines(out)), NAP);
    }

    Encoder<ILoggingEvent> encoder() {
        return encoder;
    }

    /** Sets the encoder for lines that are logged after this call. Thread-safe. */
    void use(Encoder<ILoggingEvent> next) {
        encoder = next;
    }

    @Override
    public void start() {
        writer.start();
        super.start();
    }

    @Override
    protected void append(ILoggingEvent event) {
        byte[] line = encoder.encode(event);
        if (waiting.getAndAdd(line.length) > BYTES) {
            queue.lost(1);
        } else if (queue.offer(line)) {
            writer.wake();
            return;
        }
        waiting.addAndGet(-line.length);
    }

    long dropped() {
        return queue.dropped();
    }

    /** Waits until all lines that were logged before this call are written, but no longer than {@link #END}. */
    void flush() {
        writer.flush(END);
    }

    @Override
    public void stop() {
        if (isStarted() && !writer.stop(END)) {
            queue.abandon();
        }
        super.stop();
    }

    /** The output of the writer thread. It writes the items of one round together. */
    private final class Lines implements LogOutput<byte[]> {
        private final OutputStream out;
        private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        private int count;

        Lines(OutputStream out) {
            this.out = out;
        }

        @Override
        public void write(byte[] line) {
            taken.writeBytes(line);
            count++;
        }

        @Override
        public void look() {
            if (count == 0) {
                return;
            }
            try {
                taken.writeTo(out);
                out.flush();
            } catch (IOException e) {
                queue.lost(count);
            }
            waiting.addAndGet(-taken.size());
            taken.reset();
            count = 0;
        }

        @Override
        public void close() {
            look();
        }
    }
}
