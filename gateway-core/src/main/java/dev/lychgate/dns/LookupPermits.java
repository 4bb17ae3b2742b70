package dev.lychgate.dns;

import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Bounds the concurrent lookups of addresses with the same DNS settings, however many names a configuration or an SRV response
 * has: each lookup takes up to four sockets, which no limit of connections counts. The others wait in their order. Settings do
 * not share permits, so that a server that does not respond delays no names of other servers. On one event loop.
 */
final class LookupPermits {
    static final int MOST = 64;

    private final EventLoop loop;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int free = MOST;

    LookupPermits(EventLoop loop) {
        this.loop = loop;
    }

    /** Begins a lookup now or later. */
    <V> CompletionStage<V> run(Supplier<CompletionStage<V>> lookup) {
        CompletableFuture<V> found = new CompletableFuture<>();
        Runnable begin = () -> CompletableFuture.completedStage(lookup)
                .thenCompose(Supplier::get)
                .whenComplete((value, failure) -> {
                    release();
                    if (failure == null) {
                        found.complete(value);
                    } else {
                        found.completeExceptionally(failure);
                    }
                });
        if (free > 0) {
            free--;
            begin.run();
        } else {
            waiting.add(begin);
        }
        return found;
    }

    private void release() {
        Runnable next = waiting.poll();
        if (next == null) {
            free++;
        } else {
            // Not now: thousands of names that are IP addresses are known at once.
            loop.execute(next);
        }
    }
}
