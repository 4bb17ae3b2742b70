package dev.lychgate.server.accesslog;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that formats and writes. It looks into the queue a hundred times a second instead of being woken: waking
 * a thread is a system call, and event loops have better things to do.
 */
final class AccessLogWriter implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(AccessLogWriter.class);
    private static final int BATCH = 1024;
    private static final long NAP = Duration.ofMillis(10).toNanos();
    private static final long BETWEEN_COMPLAINTS = Duration.ofSeconds(10).toNanos();

    private final AccessLogQueue queue;
    private final LineFormat format;
    private final LineSink sink;
    private final StringBuilder line = new StringBuilder(1024);
    private final Thread thread = new Thread(this, "lychgate-access-log");

    private volatile boolean stopping;
    private volatile long written;
    private long complainedAt = System.nanoTime() - BETWEEN_COMPLAINTS;
    private long complainedOf;
    private boolean failed;

    /** Lines that are in the sink and may still be lost. */
    private long unflushed;

    AccessLogWriter(AccessLogQueue queue, LineFormat format, LineSink sink) {
        this.queue = queue;
        this.format = format;
        this.sink = sink;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    @Override
    public void run() {
        while (!queue.isAbandoned()) {
            // Read before the queue: what was offered before the stop is written.
            boolean last = stopping;
            int taken = batch();
            complain();
            if (taken == 0) {
                if (last) {
                    break;
                }
                LockSupport.parkNanos(NAP);
            }
        }
        sink.close();
    }

    private int batch() {
        int taken = queue.drain(this::write, BATCH);
        if (taken > 0) {
            flush();
        }
        return taken;
    }

    /** A batch that did not come out whole counts as lost: how much of it did, nobody tells us. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer, many readers
    private void flush() {
        try {
            sink.flush();
            written += unflushed;
        } catch (RuntimeException e) {
            queue.lost(unflushed);
            failed(e);
        }
        unflushed = 0;
    }

    private void write(AccessRecord record) {
        if (queue.isAbandoned()) {
            queue.lost(1);
            return;
        }
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

    /** Once is enough; that lines are missing is said by {@link #complain()}. */
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

    /** Says that lines are missing, once in a while. */
    private void complain() {
        long lost = queue.dropped();
        long now = System.nanoTime();
        if (lost != complainedOf && now - complainedAt >= BETWEEN_COMPLAINTS) {
            LOG.warn("the access log is slower than the traffic, or broken: {} lines dropped so far", lost);
            complainedOf = lost;
            complainedAt = now;
        }
    }

    long written() {
        return written;
    }

    /** Writes what waits, then ends. @return whether that took no longer than {@code within} */
    boolean stop(Duration within) {
        stopping = true;
        LockSupport.unpark(thread);
        try {
            thread.join(Math.max(1, within.toMillis()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }
}
