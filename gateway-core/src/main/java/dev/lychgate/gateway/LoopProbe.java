package dev.lychgate.gateway;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.exchange.Worker;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.SingleThreadEventExecutor;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Measures how soon an event loop runs a task, without blocking the caller. Thread-safe. Returned values may be
 * slightly outdated.
 */
public final class LoopProbe {
    private static final long SILENT = -1;

    private final Worker worker;
    private final int clients;
    private final CompletableFuture<Void> answered = new CompletableFuture<>();
    private volatile long nanos = SILENT;

    private LoopProbe(Worker worker, int clients) {
        this.worker = worker;
        this.clients = clients;
    }

    static LoopProbe of(Worker worker, int clients) {
        LoopProbe probe = new LoopProbe(worker, clients);
        long asked = System.nanoTime();
        try {
            worker.loop().eventLoop().execute(() -> {
                probe.nanos = System.nanoTime() - asked;
                probe.answered.complete(null);
            });
        } catch (RejectedExecutionException stopped) {
            probe.answered.complete(null);
        }
        return probe;
    }

    /**
     * Returns a future that completes when the event loop runs the task of the probe. The future completes on the event
     * loop. If the loop is blocked permanently, the future never completes.
     */
    public CompletableFuture<Void> answered() {
        return answered.copy();
    }

    /** Returns the time from the probe until the loop ran the task, in nanoseconds; empty if the task has not run. */
    public OptionalLong waited() {
        long waited = nanos;
        return waited == SILENT ? OptionalLong.empty() : OptionalLong.of(waited);
    }

    /** Returns the index of the loop, from 0. */
    public int index() {
        return worker.loop().index();
    }

    /** Returns the name of the loop's thread. */
    public String thread() {
        return worker.loop().eventLoop() instanceof SingleThreadEventExecutor loop
                ? loop.threadProperties().name()
                : String.valueOf(worker.loop().eventLoop());
    }

    /** Returns the number of tasks that are queued on the loop. */
    public int pending() {
        EventLoop loop = worker.loop().eventLoop();
        return loop instanceof SingleThreadEventExecutor single ? single.pendingTasks() : 0;
    }

    /** Returns the number of client connections on the loop at the time of the probe. */
    public int clients() {
        return clients;
    }

    /** Returns the filter that runs on the loop; null if there is none. */
    public @Nullable FilterSlot filter() {
        return worker.guard().slot();
    }

    /**
     * Returns the start time of the running filter's call, in nanoseconds of {@link System#nanoTime()}. Undefined if
     * {@link #filter()} is null.
     */
    public long since() {
        return worker.guard().since();
    }

    /** Returns the current stack trace of an event loop's thread. Pauses the JVM briefly. */
    static StackTraceElement[] stack(Worker worker) {
        return worker.loop().eventLoop() instanceof SingleThreadEventExecutor loop
                ? loop.threadProperties().stackTrace()
                : new StackTraceElement[0];
    }
}
