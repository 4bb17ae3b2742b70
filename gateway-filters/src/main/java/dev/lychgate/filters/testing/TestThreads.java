package dev.lychgate.filters.testing;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * The threads of tests or replays that run while the gateway serves traffic, and the threads that filter code starts
 * during these tests or replays.
 */
final class TestThreads extends ThreadGroup {
    /**
     * The prefixes of the names of threads in pools that serve the whole process. Such threads start when the pool is
     * first used.
     */
    private static final List<String> SHARED = List.of("lychgate-", "Rx", "ForkJoinPool", "globalEventExecutor");
    /** The time in which interrupted threads may end before they count as abandoned. */
    private static final Duration GRACE = Duration.ofMillis(100);

    TestThreads() {
        super("lychgate-gate-tests");
    }

    @Override
    public void uncaughtException(Thread thread, Throwable failure) {
        // Interrupted threads end with exceptions, which would be printed as if a request had failed.
    }

    /**
     * Interrupts the threads that still run, and adds each thread that does not end soon to {@code abandoned}.
     *
     * @param of the file of the test to which the threads belong, or another owner of the threads
     */
    void collect(AbandonedTests abandoned, String of) throws InterruptedException {
        List<Thread> left = left();
        left.forEach(AbandonedTests::interrupt);
        long end = System.nanoTime() + GRACE.toNanos();
        for (Thread thread : left) {
            thread.join(Math.max(1, (end - System.nanoTime()) / 1_000_000));
            abandoned.add(thread, of);
        }
    }

    private List<Thread> left() {
        Thread[] all = new Thread[activeCount() + 64];
        int count = enumerate(all);
        return Stream.of(all)
                .limit(count)
                .filter(thread -> thread instanceof TestThread
                        || SHARED.stream().noneMatch(name -> thread.getName().startsWith(name)))
                .toList();
    }
}
