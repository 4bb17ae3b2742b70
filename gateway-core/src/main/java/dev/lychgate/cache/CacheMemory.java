package dev.lychgate.cache;

import dev.lychgate.loop.MemoryBudget;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the memory of stored responses. A head counts until its response is removed, and a body counts until the last
 * exchange that sends it has ended. The number of bytes has a limit. In addition, the bytes count against the memory
 * budget of the process. Thread-safe.
 */
final class CacheMemory {
    private final MemoryBudget budget;
    private final AtomicLong used = new AtomicLong();
    private volatile long most;

    /**
     * Creates a counter without stored responses.
     *
     * @param most the limit in bytes
     */
    CacheMemory(MemoryBudget budget, long most) {
        this.budget = budget;
        this.most = most;
    }

    void limit(long bytes) {
        most = bytes;
    }

    /**
     * Returns the limit, in bytes. It never exceeds half of the memory budget, so that the other half remains for
     * messages in progress.
     */
    long most() {
        return Math.min(most, budget.most() / 2);
    }

    long used() {
        return used.get();
    }

    /** Reserves bytes. If they would exceed a limit, reserves nothing and returns false. */
    boolean take(long bytes) {
        if (used.addAndGet(bytes) > most) {
            used.addAndGet(-bytes);
            return false;
        }
        if (!budget.take(bytes, budget.most() / 2)) {
            used.addAndGet(-bytes);
            return false;
        }
        return true;
    }

    void give(long bytes) {
        used.addAndGet(-bytes);
        budget.giveBack(bytes);
    }
}
