package dev.lychgate.testing;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntPredicate;

/** A count one thread changes and another waits for. */
final class Tally {
    private final String what;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private int count;

    Tally(String what) {
        this.what = what;
    }

    int add(int change) {
        lock.lock();
        try {
            count += change;
            changed.signalAll();
            return count;
        } finally {
            lock.unlock();
        }
    }

    int get() {
        lock.lock();
        try {
            return count;
        } finally {
            lock.unlock();
        }
    }

    void await(String wanted, IntPredicate enough, Duration limit) throws InterruptedException {
        long left = limit.toNanos();
        lock.lock();
        try {
            while (!enough.test(count)) {
                if (left <= 0) {
                    throw new AssertionError(
                            count + " " + what + " within " + limit + ", but " + wanted + " should have been");
                }
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }
}
