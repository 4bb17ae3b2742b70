package dev.lychgate.loop;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The memory of one process for messages that are not complete: unfinished heads, bodies that filters read whole, bodies kept for
 * retries, and bodies of HTTP/2 that wait. One bound for all of them leaves the rest of the direct memory to messages that
 * move. Event loops draw from it through {@link HeldMemory}. Any thread.
 */
public final class MemoryBudget {
    /** A quarter of the direct memory, and at most a quarter of the heap, to which filters copy bodies. */
    public static final MemoryBudget OF_PROCESS =
            new MemoryBudget(Math.min(Headroom.ALL / 4, Runtime.getRuntime().maxMemory() / 4));

    private static final Logger LOG = LoggerFactory.getLogger(MemoryBudget.class);
    /** The budget is a quarter of the direct memory; native memory may take as much as all of that. */
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

    /** Counts bytes that are to be held. @return false if they exceed the budget; they are not counted then */
    public boolean take(long bytes) {
        return take(bytes, most);
    }

    /** Returns how many bytes of the budget count for {@code bytes} of native memory, which is not Netty's. */
    public static int counted(long bytes) {
        return (int) Math.min(Integer.MAX_VALUE, bytes / NATIVE_RATE);
    }

    /** @param ceiling how much may be held with them, in bytes */
    public boolean take(long bytes, long ceiling) {
        if (held.addAndGet(bytes) <= ceiling) {
            return true;
        }
        held.addAndGet(-bytes);
        return false;
    }

    /** So many bytes are held no longer. */
    public void giveBack(long bytes) {
        held.addAndGet(-bytes);
    }

    /** How much more may be held, in bytes. */
    public long left() {
        return most - held.get();
    }

    /** How much is held, in bytes. */
    public long held() {
        return held.get();
    }

    /** All that may be held, in bytes. */
    public long most() {
        return most;
    }

    /** How many unfinished messages have been aborted because the budget was used up. */
    public long reclaimed() {
        return reclaimed.sum();
    }

    /** How many messages have been refused because nothing could be reclaimed for them. */
    public long refused() {
        return refused.sum();
    }

    void onRefused(long now) {
        refused.increment();
        lacked(now);
    }

    /** Somebody has lacked memory just now, on this loop or another. */
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
            LOG.warn("memory for unfinished messages is used up, limit={} bytes: one was aborted{}", most, more);
        }
    }
}
