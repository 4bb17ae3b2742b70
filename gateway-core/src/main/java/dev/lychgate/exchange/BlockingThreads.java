package dev.lychgate.exchange;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Threads for filters that block: a virtual one for each call where the JVM has them (21 and later), and otherwise a
 * bounded pool before which calls wait. Either way no more than {@link #MOST} calls are under way or waiting. One for all
 * event loops.
 *
 * <p>Event loops hand calls over, so that the queue must have no lock that a thread of the pool, or another loop, might hold.
 * One without a lock has no bound either; all of it is in {@link #calls}.
 */
public final class BlockingThreads implements AutoCloseable {
    /** Most calls that may be under way or wait, per process. */
    public static final int MOST = 10_000;

    private static final int POOL_SIZE = 64;

    private final AtomicInteger calls = new AtomicInteger();
    private final ExecutorService threads;

    public BlockingThreads() {
        this(create());
    }

    /** @param threads closed with this; has a thread for every call, or else lets calls wait without a bound of its own */
    BlockingThreads(ExecutorService threads) {
        this.threads = threads;
    }

    private static ExecutorService create() {
        try {
            return virtual();
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            return pool(POOL_SIZE);
        }
    }

    static ThreadPoolExecutor pool(int size) {
        AtomicInteger number = new AtomicInteger();
        ThreadFactory factory = task -> {
            Thread thread = new Thread(task, "lychgate-blocking-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(size, size, 10, TimeUnit.SECONDS, new LinkedTransferQueue<>(), factory);
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** By reflection: the byte code is that of JDK 17, which has none. */
    private static ExecutorService virtual()
            throws NoSuchMethodException, IllegalAccessException, InvocationTargetException {
        Method create = Executors.class.getMethod("newVirtualThreadPerTaskExecutor");
        return (ExecutorService) create.invoke(null);
    }

    /**
     * Runs {@code call} on a thread that may block, with the request id in its {@link MDC} as {@code requestId}.
     *
     * @return completes on that thread; cancelling it interrupts the call
     * @throws RejectedExecutionException if too many wait already
     */
    <T> CompletableFuture<T> call(String requestId, Callable<T> call) {
        if (calls.incrementAndGet() > MOST) {
            calls.decrementAndGet();
            throw new RejectedExecutionException(MOST + " calls are under way or wait");
        }
        Call<T> answer = new Call<>(requestId, call);
        try {
            answer.running = threads.submit(answer);
        } catch (RejectedExecutionException e) {
            calls.decrementAndGet();
            throw e;
        }
        return answer;
    }

    /**
     * Calls under way or waiting; those that are given up while they wait are counted until a thread comes to them, for so
     * long they take their place in the queue.
     */
    public int calls() {
        return calls.get();
    }

    /** Interrupts what is under way, and takes nothing more. */
    @Override
    public void close() {
        threads.shutdownNow();
    }

    private enum Progress {
        /** No thread has come to it. */
        WAITING,
        /** A thread runs it, or has. */
        BEGUN,
        /** It was given up before a thread came to it, and is never run. */
        GIVEN_UP
    }

    private final class Call<T> extends CompletableFuture<T> implements Runnable {
        private final String requestId;
        private final Callable<T> call;
        /** Leaves {@code WAITING} by whoever is first: the thread that begins, or the caller that gives up. */
        private final AtomicReference<Progress> progress = new AtomicReference<>(Progress.WAITING);

        private volatile @Nullable Future<?> running;

        Call(String requestId, Callable<T> call) {
            this.requestId = requestId;
            this.call = call;
        }

        @Override
        public void run() {
            try {
                if (progress.compareAndSet(Progress.WAITING, Progress.BEGUN)) {
                    answer();
                }
            } finally {
                calls.decrementAndGet();
            }
        }

        private void answer() {
            MDC.put("requestId", requestId);
            try {
                complete(call.call());
            } catch (Throwable e) {
                completeExceptionally(e);
            } finally {
                MDC.remove("requestId");
            }
        }

        @Override
        public boolean cancel(boolean mayInterrupt) {
            boolean cancelled = super.cancel(mayInterrupt);
            if (!cancelled || progress.compareAndSet(Progress.WAITING, Progress.GIVEN_UP)) {
                // What no thread has come to stays in the queue, for the thread that does to count it off.
                return cancelled;
            }
            Future<?> r = running;
            // Not what was given up earlier: its place in the queue would never be counted off.
            if (r != null && progress.get() == Progress.BEGUN) {
                r.cancel(mayInterrupt);
            }
            return true;
        }
    }
}
