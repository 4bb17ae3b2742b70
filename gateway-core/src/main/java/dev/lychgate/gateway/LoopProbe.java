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
 * An event loop looked at from outside: it is asked for a sign of life, and nobody waits for it. Any thread may look, as
 * often as it likes; what is seen may be a moment old.
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

    /** Completes on the loop when it has come to the question; never if it is stuck. */
    public CompletableFuture<Void> answered() {
        return answered.copy();
    }

    /** How long the loop has taken to come to the question, in nanoseconds; empty while it has not. */
    public OptionalLong waited() {
        long waited = nanos;
        return waited == SILENT ? OptionalLong.empty() : OptionalLong.of(waited);
    }

    /** Place among the gateway's loops, from 0. */
    public int index() {
        return worker.loop().index();
    }

    /** The name of its thread. */
    public String thread() {
        return worker.loop().eventLoop() instanceof SingleThreadEventExecutor loop
                ? loop.threadProperties().name()
                : String.valueOf(worker.loop().eventLoop());
    }

    /** Tasks that it has been given and has not come to. */
    public int pending() {
        EventLoop loop = worker.loop().eventLoop();
        return loop instanceof SingleThreadEventExecutor single ? single.pendingTasks() : 0;
    }

    /** Client connections that lived on it when it was asked. */
    public int clients() {
        return clients;
    }

    /** The filter it is in; null if it is in none. */
    public @Nullable FilterSlot filter() {
        return worker.guard().slot();
    }

    /** Since when it is in that filter, in nanoseconds of {@link System#nanoTime()}. */
    public long since() {
        return worker.guard().since();
    }

    /** Where its thread is. Stops the JVM for a moment. */
    public StackTraceElement[] stack() {
        return stack(worker);
    }

    static StackTraceElement[] stack(Worker worker) {
        return worker.loop().eventLoop() instanceof SingleThreadEventExecutor loop
                ? loop.threadProperties().stackTrace()
                : new StackTraceElement[0];
    }
}
