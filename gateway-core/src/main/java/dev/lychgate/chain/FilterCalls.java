package dev.lychgate.chain;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The bulkhead of one blocking filter in one generation: how many of its calls may have a thread at once, and which wait
 * for that. A filter whose calls never return has filled its own bulkhead by then, and no other's.
 *
 * <p>Any thread may call; none waits, as event loops do.
 */
public final class FilterCalls {
    private final AtomicInteger places = new AtomicInteger();
    private final AtomicInteger running = new AtomicInteger();
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

    /** Takes a place for a call that is under way or waits. @return whether there are fewer than {@code most} */
    public boolean enter(int most) {
        return take(places, most);
    }

    /** Gives the place of a call back. */
    public void leave() {
        places.decrementAndGet();
    }

    /** Has {@code call} wait until {@link #next} finds it. */
    public void add(Runnable call) {
        waiting.add(call);
    }

    /** The call that has waited longest, if fewer than {@code most} have a thread; it counts as one that has, from now on. */
    public @Nullable Runnable next(int most) {
        // Whoever adds one while this gives up looks for itself.
        while (!waiting.isEmpty() && take(running, most)) {
            Runnable call = waiting.poll();
            if (call != null) {
                return call;
            }
            running.decrementAndGet();
        }
        return null;
    }

    /** A call has done with its thread. */
    public void ended() {
        running.decrementAndGet();
    }

    /** How many calls have a thread, or have been promised one. */
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
