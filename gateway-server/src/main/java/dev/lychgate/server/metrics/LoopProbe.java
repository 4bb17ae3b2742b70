package dev.lychgate.server.metrics;

import dev.lychgate.loop.Loop;
import io.netty.util.concurrent.SingleThreadEventExecutor;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Finds out how late an event loop is: a task that is due ten times a second sees how much later it runs. Costs nothing
 * per request, and a loop some microseconds a second. Its cells are the loop's own.
 */
final class LoopProbe {
    private static final long EVERY = TimeUnit.MILLISECONDS.toNanos(100);

    private final Loop loop;
    private final DurationCells lags = new DurationCells(DurationBuckets.DEFAULT);
    private long due;

    /**
     * What a probe has found.
     *
     * @param loop the loop's index
     * @param lags how often it was how late, by {@link DurationBuckets#DEFAULT}
     * @param tasks how many tasks waited for it
     */
    record Findings(int loop, DurationCells lags, int tasks) {}

    LoopProbe(Loop loop) {
        this.loop = loop;
    }

    /** Begins; call once, from any thread. */
    void start() {
        try {
            loop.eventLoop().execute(this::again);
        } catch (RejectedExecutionException stopped) {
            // There is nothing to probe.
        }
    }

    private void again() {
        due = System.nanoTime() + EVERY;
        loop.eventLoop().schedule(this::probe, EVERY, TimeUnit.NANOSECONDS);
    }

    /** The next one is due so much after this one has run: one long halt counts once. */
    private void probe() {
        lags.count(Math.max(0, System.nanoTime() - due));
        again();
    }

    /** A copy, made on the loop as soon as it gets round to it. */
    CompletableFuture<Findings> findings() {
        return CompletableFuture.supplyAsync(
                () -> {
                    int tasks = loop.eventLoop() instanceof SingleThreadEventExecutor queue ? queue.pendingTasks() : 0;
                    return new Findings(loop.index(), lags.copy(), tasks);
                },
                loop.eventLoop());
    }
}
