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
 * A bounded pool of threads, started as they are needed. It is larger than what one filter may have, by so much that a
 * filter whose calls never return leaves threads to the others, and to the one that comes to mend it.
 *
 * <p>Event loops hand tasks over, and so take no lock and don't start threads again and again: the pool has a lock for that,
 * and a start takes longer than many an exchange. What no idle thread takes goes to one that starts the others.
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
     * What waits for a thread. Without a lock, as event loops add to it; and taken at once only if a thread is idle, so
     * that the pool starts another one otherwise, and tasks wait only if it may not.
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
            // Whoever waits for it is going, too.
        } catch (OutOfMemoryError e) {
            await(task, e);
        }
    }

    /** For a thread that there is, or that the next task has more luck with. */
    private void await(Runnable task, Throwable e) {
        LOG.error("no thread can be started for filters that block: {}", String.valueOf(e.getMessage()));
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
