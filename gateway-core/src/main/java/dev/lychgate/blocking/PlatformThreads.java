package dev.lychgate.blocking;

import dev.lychgate.loop.SerialExecutor;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A bounded pool of threads, started on demand. The pool is larger than the limit of one filter. Even if the calls of a
 * filter never return, threads remain for other filters and for a corrected version of the filter.
 *
 * <p>Event loops never start threads, because the start requires a lock and takes longer than many exchanges. If no
 * thread is idle, the event loop passes the task to a separate thread, which starts the threads of the pool.
 */
final class PlatformThreads implements ThreadSource {
    static final int MOST = 512;

    static final int MOST_OF_A_FILTER = 64;

    private static final Logger LOG = LoggerFactory.getLogger(PlatformThreads.class);

    final ThreadPoolExecutor pool;
    private final Waiting waiting = new Waiting();
    private final SerialExecutor starter = SerialExecutor.lasting("lychgate-blocking-starter");
    private final int mostOfAFilter;
    private volatile boolean closed;

    PlatformThreads() {
        this(MOST, MOST_OF_A_FILTER);
    }

    PlatformThreads(int most, int mostOfAFilter) {
        this.mostOfAFilter = mostOfAFilter;
        AtomicInteger number = new AtomicInteger();
        pool = new ThreadPoolExecutor(
                0,
                most,
                10,
                TimeUnit.SECONDS,
                waiting,
                task -> daemon(task, "lychgate-blocking-" + number.incrementAndGet()),
                (task, full) -> waiting.keep(task, full.isShutdown()));
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Queue of tasks. It is lock-free, because event loops add to it. An offer succeeds if a thread is idle. If an
     * offer fails, the pool starts another thread, or queues the task if the pool has reached its limit of threads.
     */
    private static final class Waiting extends LinkedTransferQueue<Runnable> {
        private static final long serialVersionUID = 1;

        @Override
        public boolean offer(Runnable task) {
            return tryTransfer(task);
        }

        void keep(Runnable task, boolean closed) {
            if (closed) {
                throw new RejectedExecutionException("the gateway is closing");
            }
            put(task);
        }
    }

    @Override
    public void execute(Runnable task) {
        if (closed) {
            throw new RejectedExecutionException("the gateway is closing");
        }
        if (!waiting.offer(task)) {
            try {
                starter.execute(() -> start(task));
            } catch (RejectedExecutionException e) {
                if (closed) {
                    throw e;
                }
                await(task, e);
            }
        }
    }

    private void start(Runnable task) {
        try {
            pool.execute(task);
        } catch (RejectedExecutionException closing) {
            // The gateway is closing, which also ends the exchange that waits for the call.
        } catch (OutOfMemoryError e) {
            await(task, e);
        }
    }

    /**
     * Queues the task. The task is executed by a running thread, or by a thread that the pool starts for a later task.
     */
    private void await(Runnable task, Throwable e) {
        LOG.error(
                "cannot start a thread for blocking filters: {}; the call waits until a running thread is free",
                String.valueOf(e.getMessage()));
        waiting.put(task);
    }

    @Override
    public int mostOfAFilter() {
        return mostOfAFilter;
    }

    @Override
    public void close() {
        closed = true;
        starter.close();
        pool.shutdownNow();
    }
}
