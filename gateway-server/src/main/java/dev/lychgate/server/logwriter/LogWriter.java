package dev.lychgate.server.logwriter;

import dev.lychgate.config.Quantity;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread that formats and writes a log. It polls the queue at intervals, and at once after {@link #wake}. */
public final class LogWriter<T> implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(LogWriter.class);
    private static final int BATCH = 1024;
    private static final long POLL = Duration.ofMillis(1).toNanos();
    private static final long BETWEEN_COMPLAINTS = Duration.ofSeconds(10).toNanos();

    private final String log;
    private final LogQueue<T> queue;
    private final List<? extends LogOutput<T>> outputs;
    private final long nap;
    private final Thread thread;

    private final AtomicBoolean reopening = new AtomicBoolean();
    private volatile boolean stopping;
    /**
     * Whether {@link #wake} was called. The park permit of the thread is not sufficient to record the call, because an
     * output that parks may consume the permit.
     */
    private volatile boolean woken;

    /** Whether the outputs have received all items that were taken from the queue. */
    private volatile boolean idle = true;

    private long complainedAt = System.nanoTime() - BETWEEN_COMPLAINTS;
    private long complainedOf;
    private boolean failed;

    /**
     * @param log the name of the log, for the thread and for log lines, such as {@code access log}
     * @param nap how long the writer sleeps after a round that emptied the queue
     */
    public LogWriter(String log, LogQueue<T> queue, List<? extends LogOutput<T>> outputs, Duration nap) {
        this.log = log;
        this.queue = queue;
        this.outputs = outputs;
        this.nap = nap.toNanos();
        this.thread = new Thread(this, "lychgate-" + log.replace(' ', '-'));
        thread.setDaemon(true);
    }

    public void start() {
        thread.start();
    }

    @Override
    public void run() {
        while (!queue.isAbandoned()) {
            // The flags are read before the queue, so that items that were offered before stop() are still written.
            woken = false;
            boolean last = stopping;
            idle = false;
            int taken = queue.drain(this::write, BATCH);
            each(LogOutput::look);
            if (reopening.compareAndSet(true, false)) {
                each(LogOutput::reopen);
            }
            boolean atEnd = last && taken == 0;
            boolean complained = complain(atEnd);
            idle = true;
            if (atEnd && !complained) {
                break;
            }
            if (taken < BATCH && !last && !woken) {
                LockSupport.parkNanos(nap);
            }
        }
        // Items are left only if the queue was abandoned.
        queue.drain(this::write, Integer.MAX_VALUE);
        each(LogOutput::close);
    }

    private void write(T item) {
        if (queue.isAbandoned()) {
            queue.lost(1);
            each(output -> output.discard(item));
            return;
        }
        each(output -> output.write(item));
    }

    /** Calls {@code step} for each output. The failure of one output does not affect the other outputs. */
    private void each(Consumer<LogOutput<T>> step) {
        for (LogOutput<T> output : outputs) {
            try {
                step.accept(output);
            } catch (RuntimeException e) {
                if (!failed) {
                    failed = true;
                    LOG.error(
                            "{}: output {} failed, so lines may be lost; further failures are not logged",
                            log,
                            output,
                            e);
                }
            }
        }
    }

    /** Logs the number of lost lines at intervals and at the end. Returns whether a line was logged. */
    private boolean complain(boolean atEnd) {
        long lost = queue.dropped();
        long now = System.nanoTime();
        if (lost == complainedOf || !(atEnd || now - complainedAt >= BETWEEN_COMPLAINTS)) {
            return false;
        }
        complainedOf = lost;
        complainedAt = now;
        LOG.warn("{}: the writer is too slow or fails, so lines are lost; {} so far", log, Quantity.of(lost, "line"));
        return true;
    }

    /** Wakes the writer. The call takes a system call if the writer is parked. */
    public void wake() {
        woken = true;
        LockSupport.unpark(thread);
    }

    /** Makes the writer reopen the outputs after its current round. */
    public void reopen() {
        reopening.set(true);
    }

    /**
     * Waits until the outputs have received all items that were offered before the call, but no longer than
     * {@code within}.
     */
    public void flush(Duration within) {
        long began = System.nanoTime();
        while (!(queue.isEmpty() && idle)
                && thread.isAlive()
                && !Thread.currentThread().isInterrupted()
                && System.nanoTime() - began < within.toNanos()) {
            wake();
            LockSupport.parkNanos(POLL);
        }
    }

    /** Writes the queued items and ends the thread. Returns whether the thread ended within {@code within}. */
    public boolean stop(Duration within) {
        stopping = true;
        wake();
        try {
            thread.join(Math.max(1, within.toMillis()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }
}
