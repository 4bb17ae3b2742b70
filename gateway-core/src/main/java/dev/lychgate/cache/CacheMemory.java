package dev.lychgate.cache;

import dev.lychgate.loop.MemoryBudget;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the memory of stored responses: bodies until the last exchange has sent them, and heads until they are removed. The bytes have
 * a limit, and they also count against the memory budget of the process. Thread-safe.
 */
final class CacheMemory {
    private final MemoryBudget budget;
    private final AtomicLong used = new AtomicLong();
    private volatile long most;

    /** @param most the limit in bytes */
    CacheMemory(MemoryBudget budget, long most) {
        this.budget = budget;
        this.most = most;
    }

    void limit(long bytes) {
        most = bytes;
    }

    /** Returns the limit, in bytes: half of the memory budget always remains for messages in progress. */
    long most() {
        return Math.min(most, budget.most() / 2);
    }

    long used() {
        return used.get();
    }

    /** Reserves bytes. Returns false if they exceed a limit and are therefore not reserved. */
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
