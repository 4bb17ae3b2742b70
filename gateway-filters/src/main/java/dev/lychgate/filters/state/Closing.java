package dev.lychgate.filters.state;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The objects that the filters of one generation have opened. Closes the objects one time, in the reverse order of
 * their registration, on a separate thread, with a time limit for each object. Thread-safe.
 */
final class Closing {
    private static final Logger LOG = LoggerFactory.getLogger(Closing.class);

    private final Duration limit;
    private final BiFunction<String, StackTraceElement[], String> places;
    private final Runnable onFailure;
    private final List<Step> steps = new ArrayList<>();
    private @Nullable CompletableFuture<Void> ended;

    private record Step(String file, String what, AutoCloseable action) {}

    /**
     * Creates an object for one generation, without objects to close.
     *
     * @param limit the time limit for each object
     * @param places returns the innermost file and line of filter code in a stack, or the given file if the stack
     *     contains no filter code
     * @param onFailure runs for each object that fails to close or exceeds the limit
     */
    Closing(Duration limit, BiFunction<String, StackTraceElement[], String> places, Runnable onFailure) {
        this.limit = limit;
        this.places = places;
        this.onFailure = onFailure;
    }

    /**
     * Adds an object, which will be closed before all objects that were added earlier. After {@link #end}, a new object
     * is closed immediately.
     */
    void add(String file, String what, AutoCloseable action) {
        Step step = new Step(file, what, action);
        synchronized (this) {
            if (ended == null) {
                steps.add(step);
                return;
            }
        }
        start(List.of(step), new CompletableFuture<>());
    }

    synchronized boolean isEmpty() {
        return steps.isEmpty();
    }

    /**
     * Closes all objects.
     *
     * @return completes when each call that closes an object has ended or has been abandoned
     */
    CompletableFuture<Void> end() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        List<Step> all;
        synchronized (this) {
            if (ended != null) {
                return ended;
            }
            ended = done;
            all = new ArrayList<>(steps);
            steps.clear();
        }
        if (all.isEmpty()) {
            done.complete(null);
        } else {
            start(all, done);
        }
        return done;
    }

    private void start(List<Step> all, CompletableFuture<Void> done) {
        thread(() -> {
            for (int i = all.size() - 1; i >= 0; i--) {
                close(all.get(i));
            }
            done.complete(null);
        });
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(null, work, "lychgate-filter-close", 0, false);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /**
     * Closes one object on a separate thread. The thread is abandoned if it exceeds the time limit, because Java cannot
     * stop a thread.
     */
    private void close(Step step) {
        Thread call = thread(() -> {
            try {
                step.action.close();
            } catch (Throwable e) {
                onFailure.run();
                LOG.warn(
                        "{}: {} failed; its resources may stay open",
                        places.apply(step.file, e.getStackTrace()),
                        step.what,
                        e);
            }
        });
        try {
            call.join(Math.max(1, limit.toMillis()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (call.isAlive()) {
            onFailure.run();
            LOG.warn(
                    "{}: {} has not ended after {} ms and is abandoned; its thread may keep running",
                    places.apply(step.file, call.getStackTrace()),
                    step.what,
                    limit.toMillis());
            call.interrupt();
        }
    }
}
