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
 * Non-blocking probe of an event loop from outside, by a task on the loop. Any thread may probe at any rate; values may be
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

    /** Completes on the loop when it runs the probe's task; never if the loop is stuck. */
    public CompletableFuture<Void> answered() {
        return answered.copy();
    }

    /** Returns the time until the loop ran the task, in nanoseconds; empty before that. */
    public OptionalLong waited() {
        long waited = nanos;
        return waited == SILENT ? OptionalLong.empty() : OptionalLong.of(waited);
    }

    /** Returns the position among the gateway's loops, from 0. */
    public int index() {
        return worker.loop().index();
    }

    /** Returns the name of its thread. */
    public String thread() {
        return worker.loop().eventLoop() instanceof SingleThreadEventExecutor loop
                ? loop.threadProperties().name()
                : String.valueOf(worker.loop().eventLoop());
    }

    /** Returns the number of queued tasks. */
    public int pending() {
        EventLoop loop = worker.loop().eventLoop();
        return loop instanceof SingleThreadEventExecutor single ? single.pendingTasks() : 0;
    }

    /** Returns the number of client connections on the loop at the time of the probe. */
    public int clients() {
        return clients;
    }

    /** Returns the running filter; null if there is none. */
    public @Nullable FilterSlot filter() {
        return worker.guard().slot();
    }

    /** Returns when that filter started, in nanoseconds of {@link System#nanoTime()}. */
    public long since() {
        return worker.guard().since();
    }

    /** Returns the stack of a worker's thread. Pauses the JVM briefly. */
    static StackTraceElement[] stack(Worker worker) {
        return worker.loop().eventLoop() instanceof SingleThreadEventExecutor loop
                ? loop.threadProperties().stackTrace()
                : new StackTraceElement[0];
    }
}
