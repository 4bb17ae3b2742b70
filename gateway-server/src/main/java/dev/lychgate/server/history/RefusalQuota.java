package dev.lychgate.server.history;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Limits the entries for attempts that changed nothing. Up to {@value #PER_MINUTE} entries are admitted at once, and
 * then one entry per second. Thread-safe and free of locks.
 */
final class RefusalQuota {
    private static final int PER_MINUTE = 60;
    private static final long INTERVAL = TimeUnit.MINUTES.toNanos(1) / PER_MINUTE;

    private final LongAdder suppressed = new LongAdder();
    private final AtomicLong whole = new AtomicLong(System.nanoTime());

    boolean admit(long now) {
        while (true) {
            long before = whole.get();
            long ahead = Math.max(0, before - now);
            if (ahead > INTERVAL * (PER_MINUTE - 1)) {
                suppressed.increment();
                return false;
            }
            if (whole.compareAndSet(before, now + ahead + INTERVAL)) {
                return true;
            }
        }
    }

    long suppressed() {
        return suppressed.sum();
    }
}
