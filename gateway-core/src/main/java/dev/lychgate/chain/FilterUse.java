package dev.lychgate.chain;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts the exchanges that may run the filters of one set, so that closeable objects of these filters are closed after
 * the last exchange. Each event loop writes only its own counter. A set without closeable objects has no
 * {@code FilterUse}.
 */
public final class FilterUse {
    /**
     * The number of longs per loop. Each loop uses only one long. The unused longs separate the counters, so that two
     * loops never write to the same cache line.
     */
    private static final int STRIDE = 16;

    private final Runnable end;
    private final AtomicBoolean ended = new AtomicBoolean();
    private AtomicLongArray open = new AtomicLongArray(0);

    /**
     * Creates an object without counters; {@link #prepare} creates the counters of the event loops.
     *
     * @param end closes the closeable objects of the filters. Called at most once, never on an event loop; must not
     *     block
     */
    public FilterUse(Runnable end) {
        this.end = end;
    }

    /**
     * Creates a counter for each of {@code loops} event loops. Called before the first exchange; further calls have no
     * effect.
     */
    public void prepare(int loops) {
        if (open.length() == 0) {
            open = new AtomicLongArray((loops + 1) * STRIDE);
        }
    }

    /**
     * Counts the beginning of an exchange.
     *
     * @param loop the index of the current event loop
     */
    public void began(int loop) {
        add(loop, 1);
    }

    /**
     * Counts the end of an exchange.
     *
     * @param loop the index of the current event loop
     */
    public void ended(int loop) {
        add(loop, -1);
    }

    private void add(int loop, int change) {
        int cell = (loop + 1) * STRIDE - 1;
        open.setRelease(cell, open.getPlain(cell) + change);
    }

    /** Returns the number of exchanges in progress, which may be slightly outdated. */
    public long exchanges() {
        long sum = 0;
        for (int i = STRIDE - 1; i < open.length(); i += STRIDE) {
            sum += open.getAcquire(i);
        }
        return sum;
    }

    /**
     * Closes the closeable objects of the filters. Called when no exchange uses the filters, and no later exchange will
     * use them. Idempotent.
     */
    public void end() {
        if (ended.compareAndSet(false, true)) {
            end.run();
        }
    }
}
