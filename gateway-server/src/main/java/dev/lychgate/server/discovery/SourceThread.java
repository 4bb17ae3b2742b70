package dev.lychgate.server.discovery;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the tasks of one source sequentially on one thread. Half a second after {@link #close}, the thread ends and
 * drops the remaining tasks. Thread-safe.
 */
final class SourceThread implements Executor, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SourceThread.class);

    /** The time in milliseconds that cancelled requests have for closing their connections. */
    private static final long LINGER_MILLIS = 500;

    private final ScheduledThreadPoolExecutor thread;

    /** @param source the name of the source */
    SourceThread(String source) {
        thread = new ScheduledThreadPoolExecutor(1, task -> {
            Thread created = new Thread(task, "lychgate-discovery-" + source);
            created.setDaemon(true);
            return created;
        });
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        thread.setRemoveOnCancelPolicy(true);
    }

    @Override
    public void execute(Runnable task) {
        try {
            thread.execute(() -> run(task));
        } catch (RejectedExecutionException e) {
            // The source is closed.
        }
    }

    /** Runs a task after a pause in nanoseconds. */
    void later(Runnable task, long nanos) {
        try {
            thread.schedule(() -> run(task), nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // The source is closed.
        }
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.error("internal error in thread {}", Thread.currentThread().getName(), e);
        }
    }

    /** Ends the thread after half a second, without waiting for the end. */
    @Override
    public void close() {
        try {
            thread.schedule(thread::shutdownNow, LINGER_MILLIS, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // The thread has ended already.
        }
    }
}
