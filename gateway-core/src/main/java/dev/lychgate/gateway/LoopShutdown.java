package dev.lychgate.gateway;

import dev.lychgate.exchange.Worker;
import dev.lychgate.listener.Listener;
import dev.lychgate.loop.OpenChannels;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.Future;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Closes all channels and terminates the event loops. Does not wait for stalled loops; their threads run until the
 * process ends. Blocks, so it must not be called on an event loop.
 */
final class LoopShutdown {
    private static final long RESPONSE_TIME = TimeUnit.SECONDS.toNanos(1);
    private static final long TERMINATION = TimeUnit.SECONDS.toNanos(6);

    private final Set<EventLoop> reachable = new HashSet<>();

    private LoopShutdown() {}

    static void run(EventLoopGroup group, List<Worker> workers, OpenChannels toOrigins, List<Listener> listeners) {
        LoopShutdown shutdown = new LoopShutdown();
        // Retiring the pools waits for the queued tasks of each loop. Therefore, queued responses are written before
        // channels are closed.
        shutdown.retirePools(workers);
        shutdown.close(toOrigins::closeNow);
        listeners.forEach(listener -> shutdown.close(listener::closeNow));
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS);
        long end = System.nanoTime() + TERMINATION;
        shutdown.reachable.forEach(loop -> await(loop.terminationFuture(), end));
    }

    /**
     * Retires the connection pools of each event loop in a task on this loop. A loop that does not run this task within
     * {@link #RESPONSE_TIME} is treated as stalled. The last result of the stall watch is not used, because a loop may
     * have recovered since then.
     */
    private void retirePools(List<Worker> workers) {
        List<Future<?>> retired = new ArrayList<>();
        List<EventLoop> asked = new ArrayList<>();
        for (Worker worker : workers) {
            EventLoop loop = worker.loop().eventLoop();
            if (!loop.isShuttingDown()) {
                asked.add(loop);
                retired.add(loop.submit(() -> worker.pools().retireAll()));
            }
        }
        long end = System.nanoTime() + RESPONSE_TIME;
        for (int i = 0; i < asked.size(); i++) {
            await(retired.get(i), end);
            if (retired.get(i).isDone()) {
                reachable.add(asked.get(i));
            }
        }
    }

    /** Closes one kind of channel on the loops that are not stalled. */
    private void close(Function<Predicate<EventLoop>, List<Future<?>>> channels) {
        long end = System.nanoTime() + RESPONSE_TIME;
        channels.apply(reachable::contains).forEach(closed -> await(closed, end));
    }

    private static void await(Future<?> task, long end) {
        task.awaitUninterruptibly(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
    }
}
