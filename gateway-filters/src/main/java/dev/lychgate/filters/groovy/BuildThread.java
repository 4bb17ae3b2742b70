package dev.lychgate.filters.groovy;

import java.beans.Introspector;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that runs one build of filters. If a build is abandoned because of a timeout, its thread is interrupted and
 * a warning is logged, repeatedly until the build ends. A build that ignores interrupts cannot be stopped. However, its
 * thread is a daemon, so it does not delay the end of the process. Until the build ends, its thread keeps the classes
 * of one generation in memory.
 */
final class BuildThread {
    /**
     * The stack size of the thread, in bytes. It is large, because deeply nested expressions are legal, and the
     * compiler visits them recursively.
     */
    private static final long STACK = 8 << 20;

    /** The name of the thread groups of builds. Each build has a separate group. */
    static final String GROUP = "lychgate-filters";

    private static final Logger LOG = LoggerFactory.getLogger(BuildThread.class);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);

    private final CompletableFuture<BuiltFilters> result = new CompletableFuture<>();
    private final Thread thread;

    BuildThread(Callable<BuiltFilters> build) {
        // Threads that filters start inherit this group, so that they can be found through the group.
        ThreadGroup group = new ThreadGroup(GROUP);
        this.thread = new Builder(group, () -> run(build));
        thread.setDaemon(true);
    }

    /** Returns whether a thread runs a build. Returns false for a thread that a filter has started during a build. */
    static boolean isBuild(Thread thread) {
        return thread instanceof Builder;
    }

    private static final class Builder extends Thread {
        Builder(ThreadGroup group, Runnable build) {
            super(group, build, "lychgate-filter-build", STACK);
        }
    }

    private void run(Callable<BuiltFilters> build) {
        try {
            result.complete(build.call());
        } catch (Throwable e) {
            // The thread that awaits the result handles all failures, including errors of the JVM.
            result.completeExceptionally(e);
        } finally {
            // Flushes the introspection cache of this thread's group, because flushes by Groovy's runtime on threads of
            // other groups do not affect this cache.
            Introspector.flushCaches();
        }
    }

    /**
     * Runs the build on this thread, and waits for its result.
     *
     * @throws ExecutionException if the build fails; the cause is the failure of the build
     * @throws TimeoutException if the build takes longer than {@code limit}; see {@link #abandon}
     * @throws InterruptedException if the caller is interrupted
     */
    BuiltFilters get(Duration limit) throws ExecutionException, TimeoutException, InterruptedException {
        thread.start();
        return result.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    /**
     * Abandons the build. If the build completes later, its result is closed immediately.
     *
     * @param builds counts the abandoned builds that still run; includes this build until it ends
     * @param pause the time until the first report that the build still runs; the time doubles after each report
     * @return the stack trace of the thread of the build
     */
    StackTraceElement[] abandon(String file, AtomicInteger builds, Duration pause) {
        StackTraceElement[] place = thread.getStackTrace();
        // If the build has completed between the timeout and this call, the result is closed immediately.
        result.whenComplete((built, failure) -> close(built));
        thread.interrupt();
        builds.incrementAndGet();
        Thread watch = new Thread(() -> watch(file, builds, pause), "lychgate-filter-build-watch");
        watch.setDaemon(true);
        watch.start();
        return place;
    }

    private void watch(String file, AtomicInteger builds, Duration pause) {
        try {
            Duration next = pause;
            for (thread.join(next.toMillis()); thread.isAlive(); thread.join(next.toMillis())) {
                StackTraceElement[] place = thread.getStackTrace();
                LOG.warn(
                        "{}: the abandoned build of filters still runs, at {}, and may use a whole CPU; it is interrupted"
                                + " again; if it ignores the interrupt, only a restart of the gateway ends it",
                        file,
                        place.length == 0 ? "its end" : place[0]);
                thread.interrupt();
                next = next.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : next.multipliedBy(2);
            }
        } catch (InterruptedException e) {
            // This thread is interrupted only when the process ends.
            Thread.currentThread().interrupt();
        } finally {
            builds.decrementAndGet();
        }
    }

    /**
     * Waits for the end of a helper thread, which compiles or loads classes. An interrupt does not end the wait; the
     * interrupt status of the calling thread is restored after the wait.
     */
    static void join(Thread helper) {
        boolean interrupted = false;
        while (helper.isAlive()) {
            try {
                helper.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void close(@Nullable BuiltFilters built) {
        if (built != null) {
            built.end();
            built.close();
        }
    }
}
