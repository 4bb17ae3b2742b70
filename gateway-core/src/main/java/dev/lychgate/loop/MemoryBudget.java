package dev.lychgate.loop;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The memory of one process for incomplete messages: unfinished heads, bodies aggregated for filters, bodies kept for
 * retries, and queued HTTP/2 bodies. All these messages share one limit, so the rest of the direct memory remains
 * available for messages in transfer. Event loops take bytes from the budget through {@link HeldMemory}. Thread-safe.
 */
public final class MemoryBudget {
    /**
     * The budget of this process: a quarter of the direct memory, but at most a quarter of the heap, because filters
     * copy bodies to the heap.
     */
    public static final MemoryBudget OF_PROCESS =
            new MemoryBudget(Math.min(Headroom.ALL / 4, Runtime.getRuntime().maxMemory() / 4));

    private static final Logger LOG = LoggerFactory.getLogger(MemoryBudget.class);
    /**
     * Divisor for native memory outside Netty: four bytes of native memory count as one byte of the budget. The budget
     * is a quarter of the direct memory, so native memory may become as large as the whole direct memory.
     */
    private static final int NATIVE_RATE = 4;

    private static final long LATELY = TimeUnit.MILLISECONDS.toNanos(500);

    private final long most;
    private final AtomicLong held = new AtomicLong();
    private final LongAdder reclaimed = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final QuietPeriod told = new QuietPeriod();
    private volatile long lackedAt = System.nanoTime() - 2 * LATELY;

    public MemoryBudget(long most) {
        this.most = most;
    }

    /**
     * Takes bytes from the budget. The caller will hold these bytes.
     *
     * @return false if the bytes exceed the budget and are therefore not taken
     */
    public boolean take(long bytes) {
        return take(bytes, most);
    }

    /**
     * Returns the number of bytes of the budget that native memory outside Netty takes.
     *
     * @param bytes size of the native memory
     */
    public static int counted(long bytes) {
        return (int) Math.min(Integer.MAX_VALUE, bytes / NATIVE_RATE);
    }

    /**
     * Takes bytes from the budget like {@link #take(long)}, but with a lower limit.
     *
     * @param ceiling maximum number of bytes that may be held after this call
     */
    public boolean take(long bytes, long ceiling) {
        if (held.addAndGet(bytes) <= ceiling) {
            return true;
        }
        held.addAndGet(-bytes);
        return false;
    }

    /** Makes bytes available again that were taken from the budget. */
    public void giveBack(long bytes) {
        held.addAndGet(-bytes);
    }

    /** Returns the number of bytes that are available. */
    public long left() {
        return most - held.get();
    }

    /** Returns the number of bytes that are held. */
    public long held() {
        return held.get();
    }

    /** Returns the size of the budget, in bytes. */
    public long most() {
        return most;
    }

    /** Returns how many unfinished messages were aborted because the budget was exhausted. */
    public long reclaimed() {
        return reclaimed.sum();
    }

    /** Returns how many messages were refused because the budget was exhausted and no bytes could be reclaimed. */
    public long refused() {
        return refused.sum();
    }

    void onRefused(long now) {
        refused.increment();
        lacked(now);
    }

    void lacked(long now) {
        lackedAt = now;
    }

    boolean isLacking(long now) {
        return now - lackedAt < LATELY;
    }

    void onReclaimed(long now) {
        reclaimed.increment();
        String more = told.tell(now);
        if (more != null) {
            LOG.warn(
                    "memory budget for unfinished messages exhausted, limit={} bytes: one message aborted{}",
                    most,
                    more);
        }
    }
}
