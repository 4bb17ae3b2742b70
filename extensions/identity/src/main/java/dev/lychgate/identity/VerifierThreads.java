package dev.lychgate.identity;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that verify signatures, because a verification takes too long for an event loop. A thread ends after 10
 * seconds without work.
 */
final class VerifierThreads implements Executor, AutoCloseable {
    private static final long IDLE_SECONDS = 10;

    private final int rememberedTokens;
    private final ThreadPoolExecutor threads;

    VerifierThreads(IdentitySettings settings) {
        AtomicInteger count = new AtomicInteger();
        rememberedTokens = settings.rememberedTokens();
        threads = new ThreadPoolExecutor(
                settings.threads(),
                settings.threads(),
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(settings.queue()),
                work -> {
                    Thread thread = new Thread(work, "lychgate-identity-" + count.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    /** Returns the maximum number of verdicts that each filter stores. */
    int rememberedTokens() {
        return rememberedTokens;
    }

    /** @throws java.util.concurrent.RejectedExecutionException if the queue is full */
    @Override
    public void execute(Runnable work) {
        threads.execute(work);
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}
