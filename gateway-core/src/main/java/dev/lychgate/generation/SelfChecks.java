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
 * Runs the self-checks of filters before their generation takes effect. The checks run on a separate thread with a time
 * limit. Therefore, a check that never ends prevents the new generation, but does not block later changes.
 */
final class SelfChecks implements Callable<@Nullable Void> {
    /** The time limit for all self-checks of a generation together. */
    static final Duration LIMIT = Duration.ofSeconds(10);

    private final List<Filter> filters;
    private volatile @Nullable Filter current;

    private SelfChecks(List<Filter> filters) {
        this.filters = filters;
    }

    /**
     * Runs the self-checks of filters one after the other. Blocks.
     *
     * @param limit the time limit for all checks together
     * @throws SelfCheckException if a check fails or the time limit expires; names the filter. At the time limit, the
     *     thread of the check is interrupted and abandoned
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
            // Shows the stack of the thread that runs the check instead of the stack of the waiting thread.
            e.setStackTrace(thread.getStackTrace());
            thread.interrupt();
            throw checks.failed("did not finish its self-check within " + limit.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw checks.failed("failed its self-check: " + cause, cause);
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
            throw checks.failed("did not finish its self-check, because the thread was interrupted", e);
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
