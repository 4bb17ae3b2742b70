package dev.lychgate.exchange;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Threads for filters that block: a virtual one for each call where the JVM has them (21 and later), and otherwise a
 * bounded pool with a bounded queue. Either way no more than {@link #MOST} calls are under way or waiting. One for all
 * event loops.
 */
public final class BlockingThreads implements AutoCloseable {
    /** Most calls that may be under way or wait, per process. */
    public static final int MOST = 10_000;

    private static final int POOL_SIZE = 64;

    private final AtomicInteger calls = new AtomicInteger();
    private final ExecutorService threads;

    public BlockingThreads() {
        this.threads = create();
    }

    private static ExecutorService create() {
        try {
            return virtual();
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            AtomicInteger number = new AtomicInteger();
            ThreadFactory factory = task -> {
                Thread thread = new Thread(task, "lychgate-blocking-" + number.incrementAndGet());
                thread.setDaemon(true);
                return thread;
            };
            ThreadPoolExecutor pool = new ThreadPoolExecutor(
                    POOL_SIZE, POOL_SIZE, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MOST), factory);
            pool.allowCoreThreadTimeOut(true);
            return pool;
        }
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

    /** Calls under way or waiting. */
    public int calls() {
        return calls.get();
    }

    /** Interrupts what is under way, and takes nothing more. */
    @Override
    public void close() {
        threads.shutdownNow();
    }

    private final class Call<T> extends CompletableFuture<T> implements Runnable {
        private final String requestId;
        private final Callable<T> call;
        /** Set by whoever is first: the thread that begins, or the caller that has given up before. */
        private final AtomicBoolean begun = new AtomicBoolean();

        private volatile @Nullable Future<?> running;

        Call(String requestId, Callable<T> call) {
            this.requestId = requestId;
            this.call = call;
        }

        @Override
        public void run() {
            if (!begun.compareAndSet(false, true)) {
                return;
            }
            MDC.put("requestId", requestId);
            try {
                complete(call.call());
            } catch (Throwable e) {
                completeExceptionally(e);
            } finally {
                MDC.remove("requestId");
                calls.decrementAndGet();
            }
        }

        @Override
        public boolean cancel(boolean mayInterrupt) {
            boolean cancelled = super.cancel(mayInterrupt);
            Future<?> r = running;
            if (cancelled && begun.compareAndSet(false, true)) {
                calls.decrementAndGet();
            } else if (cancelled && r != null) {
                r.cancel(mayInterrupt);
            }
            return cancelled;
        }
    }
}
