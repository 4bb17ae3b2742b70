package dev.lychgate.chain;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The bulkhead of one blocking filter in one generation: limits the concurrent threads of the filter and queues further
 * calls. If calls of a filter never return, they exhaust only the bulkhead of that filter.
 *
 * <p>Thread-safe and non-blocking, for use on event loops.
 */
public final class FilterCalls {
    private final AtomicInteger places = new AtomicInteger();
    private final AtomicInteger running = new AtomicInteger();
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

    /** Acquires a place for a running or queued call. @return whether fewer than {@code most} were in use */
    public boolean enter(int most) {
        return take(places, most);
    }

    /** Releases the place of a call. */
    public void leave() {
        places.decrementAndGet();
    }

    /** Queues {@code call} for {@link #next}. */
    public void add(Runnable call) {
        waiting.add(call);
    }

    /** Returns the oldest queued call if fewer than {@code most} run, and counts it as running; null otherwise. */
    public @Nullable Runnable next(int most) {
        // A thread that adds a call concurrently polls the queue itself.
        while (!waiting.isEmpty() && take(running, most)) {
            Runnable call = waiting.poll();
            if (call != null) {
                return call;
            }
            running.decrementAndGet();
        }
        return null;
    }

    /** Counts the end of a running call. */
    public void ended() {
        running.decrementAndGet();
    }

    /** Returns the number of calls that run or are about to run. */
    public int running() {
        return running.get();
    }

    private static boolean take(AtomicInteger of, int most) {
        int now = of.get();
        while (now < most) {
            int seen = of.compareAndExchange(now, now + 1);
            if (seen == now) {
                return true;
            }
            now = seen;
        }
        return false;
    }
}
