package dev.lychgate.server.admin;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Makes answers that take their time, or run code of filters' authors, on threads of its own: two at the most, which go when
 * nobody asks. What comes while both are busy is told to come again.
 */
final class SlowPages implements AutoCloseable {
    private static final int THREADS = 2;

    private final AtomicInteger started = new AtomicInteger();
    private final ThreadPoolExecutor threads =
            new ThreadPoolExecutor(0, THREADS, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                Thread thread = new Thread(task, "lychgate-admin-page-" + started.incrementAndGet());
                thread.setDaemon(true);
                return thread;
            });

    CompletableFuture<AdminAnswer> make(Supplier<AdminAnswer> page) {
        try {
            return CompletableFuture.supplyAsync(page, threads);
        } catch (RejectedExecutionException busy) {
            return AdminAnswer.now(AdminAnswer.unavailable("others have asked for such pages; ask again"));
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
