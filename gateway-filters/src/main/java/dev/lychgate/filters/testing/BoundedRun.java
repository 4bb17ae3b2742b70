package dev.lychgate.filters.testing;

import java.time.Duration;

/**
 * Runs filter code within a time limit while the gateway serves traffic, as {@link BoundedTests} runs tests: on a
 * separate thread with the lowest priority. Threads that do not end are interrupted, and count as abandoned.
 */
public final class BoundedRun {
    private BoundedRun() {}

    /**
     * Runs {@code work} on a test thread. Its log lines are dropped while tests are silenced.
     *
     * @param of the owner of the threads, for the log
     * @param limit the time after which the threads are abandoned
     * @return whether the work ended in time
     * @throws InterruptedException if the calling thread is interrupted; the work is abandoned
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
