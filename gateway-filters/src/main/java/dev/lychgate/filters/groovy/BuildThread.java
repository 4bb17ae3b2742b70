package dev.lychgate.filters.groovy;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A thread for one build. What never ends is interrupted and left alone: no thread can be stopped that does not want to, but
 * it is a daemon, and holds nothing but its own generation's classes.
 */
final class BuildThread {
    /** Deeply nested expressions are legal, and the compiler walks them recursively. */
    private static final long STACK = 8 << 20;

    private final CompletableFuture<BuiltFilters> result = new CompletableFuture<>();
    private final Thread thread;

    BuildThread(Callable<BuiltFilters> build) {
        this.thread = new Thread(null, () -> run(build), "lychgate-filter-build", STACK);
        thread.setDaemon(true);
    }

    private void run(Callable<BuiltFilters> build) {
        try {
            result.complete(build.call());
        } catch (Throwable e) {
            // Whoever waits decides what it means, an error of the JVM included.
            result.completeExceptionally(e);
        }
    }

    /**
     * Runs the build, and waits for it.
     *
     * @throws ExecutionException with what the build has thrown
     * @throws TimeoutException if it takes longer than {@code limit}; see {@link #abandon}
     * @throws InterruptedException if the caller is interrupted
     */
    BuiltFilters get(Duration limit) throws ExecutionException, TimeoutException, InterruptedException {
        thread.start();
        return result.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Gives the build up: what it may yet come to, or has come to by now, is closed. @return where it was */
    StackTraceElement[] abandon() {
        StackTraceElement[] place = thread.getStackTrace();
        // At once if it is built already: it may have been in the moment between the end of the limit and this.
        result.whenComplete((built, failure) -> close(built));
        thread.interrupt();
        return place;
    }

    private static void close(@Nullable BuiltFilters built) {
        if (built != null) {
            built.close();
        }
    }
}
