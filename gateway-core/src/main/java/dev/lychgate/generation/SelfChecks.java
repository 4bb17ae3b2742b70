package dev.lychgate.generation;

import dev.lychgate.filter.Filter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Asks filters whether they can do their work, before the generation that they belong to takes over. On a thread of its own,
 * within a limit: a check that never ends must cost the generation it would have been for, and no other after it.
 */
final class SelfChecks implements Callable<@Nullable Void> {
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
     * @throws SelfCheckException with the first filter that can't do its work, or that has not said so when the time was over;
     *     its thread is interrupted, and left to itself
     */
    static void run(List<Filter> filters, Duration limit) {
        SelfChecks checks = new SelfChecks(filters);
        FutureTask<@Nullable Void> task = new FutureTask<>(checks);
        Thread thread = new Thread(task, "lychgate-self-checks");
        thread.setDaemon(true);
        thread.start();
        try {
            task.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            // Of the thread that is late, not of this one, which has only waited.
            e.setStackTrace(thread.getStackTrace());
            thread.interrupt();
            throw checks.failed("did not end its self-check within " + limit.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw checks.failed("failed its self-check: " + cause, cause);
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
            throw checks.failed("was interrupted in its self-check", e);
        }
    }

    private IllegalArgumentException failed(String how, Throwable cause) {
        Filter filter = current;
        return filter == null
                ? new IllegalArgumentException("a filter " + how, cause)
                : new SelfCheckException(filter, how, cause);
    }

    @Override
    public @Nullable Void call() throws Exception {
        for (Filter filter : filters) {
            current = filter;
            filter.selfCheck();
        }
        return null;
    }
}
