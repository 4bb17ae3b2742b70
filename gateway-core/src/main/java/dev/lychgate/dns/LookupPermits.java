package dev.lychgate.dns;

import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Limits how many address lookups with equal DNS settings run at a time. A configuration or an SRV response may contain
 * many names, and each lookup uses up to four sockets, which count toward no connection limit. Lookups beyond the limit
 * are queued. Lookups with different settings have separate limits, so an unresponsive DNS server does not delay
 * lookups at other DNS servers. Used on one event loop only.
 */
final class LookupPermits {
    static final int MOST = 64;

    private final EventLoop loop;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int free;

    /**
     * Creates a limit for lookups on one event loop.
     *
     * @param most maximum number of concurrent lookups
     */
    LookupPermits(EventLoop loop, int most) {
        this.loop = loop;
        this.free = most;
    }

    /** Starts a lookup, or queues it. */
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
            // Asynchronous, to avoid deep recursion: thousands of lookups of IP addresses may complete at once.
            loop.execute(next);
        }
    }
}
