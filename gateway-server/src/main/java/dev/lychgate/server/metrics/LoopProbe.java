package dev.lychgate.server.metrics;

import dev.lychgate.loop.Loop;
import io.netty.util.concurrent.SingleThreadEventExecutor;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Measures the delay of an event loop. A task that is due ten times a second measures how late it runs. The probe costs
 * some microseconds per second and loop, and nothing per request. Only the loop uses the counts.
 */
final class LoopProbe {
    private static final long EVERY = TimeUnit.MILLISECONDS.toNanos(100);

    private final Loop loop;
    private final DurationCells lags = new DurationCells(DurationBuckets.DEFAULT);
    private long due;

    /**
     * The measurements of a probe.
     *
     * @param lags the delays, in the buckets of {@link DurationBuckets#DEFAULT}
     */
    record Findings(int loop, DurationCells lags, int tasks) {}

    LoopProbe(Loop loop) {
        this.loop = loop;
    }

    /** Starts the probe. Must be called once, on any thread. */
    void start() {
        try {
            loop.eventLoop().execute(this::again);
        } catch (RejectedExecutionException stopped) {
            // The loop has ended, so there is no delay to measure.
        }
    }

    private void again() {
        due = System.nanoTime() + EVERY;
        loop.eventLoop().schedule(this::probe, EVERY, TimeUnit.NANOSECONDS);
    }

    /**
     * Counts the delay of this run, and schedules the next run relative to this run. A single long pause is therefore
     * counted only once.
     */
    private void probe() {
        lags.count(Math.max(0, System.nanoTime() - due));
        again();
    }

    /** Returns a copy of the measurements. The loop makes the copy. */
    CompletableFuture<Findings> findings() {
        return CompletableFuture.supplyAsync(
                () -> {
                    int tasks = loop.eventLoop() instanceof SingleThreadEventExecutor queue ? queue.pendingTasks() : 0;
                    return new Findings(loop.index(), lags.copy(), tasks);
                },
                loop.eventLoop());
    }
}
