package dev.lychgate.generation;

import dev.lychgate.filter.Filter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Asks filters whether they can do their work, before the generation that they belong to takes over. On a thread of its own,
 * within a limit: a check that never ends must cost the generation it would have been for, and no other after it.
 */
final class SelfChecks implements Runnable {
    /** For all filters of a generation together. */
    static final Duration LIMIT = Duration.ofSeconds(10);

    private final List<Filter> filters;
    private volatile @Nullable Filter current;

    private SelfChecks(List<Filter> filters) {
        this.filters = filters;
    }

    /**
     * Asks them one after the other. Blocks.
     *
     * @throws IllegalArgumentException naming the first filter that can't do its work, or that has not said so when the time
     *     was over; its thread is interrupted, and left to itself
     */
    static void run(List<Filter> filters, Duration limit) {
        SelfChecks checks = new SelfChecks(filters);
        FutureTask<Void> task = new FutureTask<>(checks, null);
        Thread thread = new Thread(task, "lychgate-self-checks");
        thread.setDaemon(true);
        thread.start();
        try {
            task.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            thread.interrupt();
            throw failed(checks.current, "did not end its self-check within " + limit.toSeconds() + " s", null);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            throw failed(checks.current, "failed its self-check: " + cause, cause);
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
            throw failed(checks.current, "was interrupted in its self-check", null);
        }
    }

    private static IllegalArgumentException failed(@Nullable Filter filter, String how, @Nullable Throwable cause) {
        String name = filter == null ? "?" : filter.name();
        return new IllegalArgumentException("filter " + name + " " + how, cause);
    }

    @Override
    public void run() {
        for (Filter filter : filters) {
            current = filter;
            try {
                filter.selfCheck();
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
