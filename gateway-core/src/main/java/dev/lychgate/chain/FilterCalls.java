package dev.lychgate.chain;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The bulkhead of one blocking filter in one generation: limits the number of threads that run the filter, and queues
 * the calls beyond this number. If calls of the filter never return, they exhaust this bulkhead, but not the bulkheads
 * of other filters.
 *
 * <p>Thread-safe and non-blocking, for use on event loops.
 */
public final class FilterCalls {
    private final AtomicInteger places = new AtomicInteger();
    private final AtomicInteger running = new AtomicInteger();
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

    /**
     * Acquires a place in the filter's bulkhead for a call. The call occupies the place while the call is queued and
     * while it runs.
     *
     * @param most the number of places
     * @return false if no place is free
     */
    public boolean enter(int most) {
        return take(places, most);
    }

    /** Releases the place of a call in the filter's bulkhead. */
    public void leave() {
        places.decrementAndGet();
    }

    /** Queues {@code call} until {@link #next} returns it. */
    public void add(Runnable call) {
        waiting.add(call);
    }

    /**
     * Removes the oldest queued call from the queue and counts it as running. Returns null if the queue is empty or
     * {@code most} calls run already.
     */
    public @Nullable Runnable next(int most) {
        // If another thread adds a call after this check, that thread polls the queue itself.
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

    /**
     * Returns the number of running calls. A call counts as running from the moment at which {@link #next} has returned
     * it.
     */
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
