package dev.lychgate.identity;

import dev.lychgate.loop.SerialExecutor;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that verify credentials, because a verification takes too long for an event loop. Submitting a task
 * acquires no lock. A thread ends after some seconds without work.
 */
final class VerifierThreads implements Executor, AutoCloseable {
    private final int rememberedTokens;
    private final int most;
    private final SerialExecutor[] threads;
    private final LinkedTransferQueue<Runnable> tasks = new LinkedTransferQueue<>();
    private final AtomicInteger unfinished = new AtomicInteger();
    private final AtomicInteger turn = new AtomicInteger();

    VerifierThreads(IdentitySettings settings) {
        rememberedTokens = settings.rememberedTokens();
        most = settings.queue() + settings.threads();
        threads = new SerialExecutor[settings.threads()];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = SerialExecutor.passing("lychgate-identity-" + (i + 1));
        }
    }

    /** Returns the maximum number of verdicts that each authenticator stores. */
    int rememberedTokens() {
        return rememberedTokens;
    }

    /** @throws RejectedExecutionException if the queue is full, or the threads are closed */
    @Override
    public void execute(Runnable work) {
        if (unfinished.incrementAndGet() > most) {
            unfinished.decrementAndGet();
            throw new RejectedExecutionException("too many verifications");
        }
        tasks.add(work);
        try {
            threads[Math.floorMod(turn.getAndIncrement(), threads.length)].execute(this::runAll);
        } catch (RejectedExecutionException e) {
            // If the task is still queued, no thread will run it. Otherwise, another thread already runs it.
            if (tasks.remove(work)) {
                unfinished.decrementAndGet();
                throw e;
            }
        }
    }

    /** Runs all queued tasks, including tasks that were queued for another thread, which is busy. */
    private void runAll() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            try {
                task.run();
            } finally {
                unfinished.decrementAndGet();
            }
        }
    }

    @Override
    public void close() {
        for (SerialExecutor thread : threads) {
            thread.close();
        }
    }
}
