package dev.lychgate.server.accesslog;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
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
    private final List<RecordOutput> outputs;
    private final Thread thread = new Thread(this, "lychgate-access-log");

    private final AtomicBoolean reopening = new AtomicBoolean();
    private volatile boolean stopping;
    private long complainedAt = System.nanoTime() - BETWEEN_COMPLAINTS;
    private long complainedOf;

    AccessLogWriter(AccessLogQueue queue, List<RecordOutput> outputs) {
        this.queue = queue;
        this.outputs = outputs;
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
            int taken = queue.drain(this::write, BATCH);
            outputs.forEach(RecordOutput::look);
            if (reopening.compareAndSet(true, false)) {
                outputs.forEach(RecordOutput::reopen);
            }
            complain();
            if (last && taken == 0) {
                break;
            }
            if (taken < BATCH && !last) {
                // Whatever has come in the meantime is not worth a round of its own.
                LockSupport.parkNanos(NAP);
            }
        }
        outputs.forEach(RecordOutput::close);
    }

    private void write(AccessRecord record) {
        if (queue.isAbandoned()) {
            queue.lost(1);
            return;
        }
        for (RecordOutput output : outputs) {
            output.write(record);
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

    /** Has the outputs opened anew, soon. */
    void reopen() {
        reopening.set(true);
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
