package dev.lychgate.filters.testing;

import java.time.Duration;

/**
 * Runs filter code within a time limit while the gateway serves traffic. Like the tests of {@link BoundedTests}, the
 * code runs on a separate thread with the lowest priority. Threads that do not end in time are interrupted, and count
 * as abandoned.
 */
public final class BoundedRun {
    private BoundedRun() {}

    /**
     * Runs {@code work} on a test thread. If log lines of tests are dropped, the log lines of {@code work} are dropped
     * as well.
     *
     * @param of the owner of the threads, for the log
     * @param limit the time after which the threads are abandoned
     * @return true if the work ended within {@code limit}
     * @throws InterruptedException if the calling thread is interrupted, in which case the work is abandoned
     */
    public static boolean within(Duration limit, String of, AbandonedTests abandoned, Runnable work)
            throws InterruptedException {
        TestThreads group = new TestThreads();
        Thread thread = new TestThread(group, work);
        thread.start();
        try {
            thread.join(Math.max(1, limit.toMillis()));
            return !thread.isAlive();
        } finally {
            group.collect(abandoned, of);
        }
    }
}
