package dev.lychgate.exchange;

import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A bounded pool of threads, started as they are needed. It is larger than what one filter may have, by so much that a
 * filter whose calls never return leaves threads to the others, and to the one that comes to mend it.
 */
final class PlatformThreads implements ThreadSource {
    /** Most threads there may be. */
    static final int MOST = 512;

    /** Most threads of one filter. */
    static final int MOST_OF_A_FILTER = 64;

    private final ThreadPoolExecutor pool;
    private final int mostOfAFilter;

    PlatformThreads() {
        this(MOST, MOST_OF_A_FILTER);
    }

    PlatformThreads(int most, int mostOfAFilter) {
        this.mostOfAFilter = mostOfAFilter;
        AtomicInteger number = new AtomicInteger();
        Waiting waiting = new Waiting();
        pool = new ThreadPoolExecutor(
                0,
                most,
                10,
                TimeUnit.SECONDS,
                waiting,
                task -> {
                    Thread thread = new Thread(task, "lychgate-blocking-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                },
                (task, full) -> waiting.keep(task, full.isShutdown()));
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

    ThreadPoolExecutor pool() {
        return pool;
    }

    @Override
    public void execute(Runnable task) {
        pool.execute(task);
    }

    @Override
    public int mostOfAFilter() {
        return mostOfAFilter;
    }

    @Override
    public void close() {
        pool.shutdownNow();
    }
}
