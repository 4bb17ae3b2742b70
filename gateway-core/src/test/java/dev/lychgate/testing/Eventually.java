package dev.lychgate.testing;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Tries an assertion again until it holds: for counters and states without events. If an event can be awaited, await the event.
 */
public final class Eventually {
    private static final Duration USUAL_LIMIT = Duration.ofSeconds(30);
    private static final long SHORTEST_PAUSE_NANOS = Duration.ofMillis(2).toNanos();
    private static final long LONGEST_PAUSE_NANOS = Duration.ofMillis(20).toNanos();

    private Eventually() {}

    /** An assertion that may throw any exception. */
    @FunctionalInterface
    public interface Assertion {
        /**
         * Returns if the state is as it should be.
         *
         * @throws Exception or an {@link AssertionError} if not
         */
        void check() throws Exception;
    }

    /** Returns as soon as {@code assertion} passes; after 30 seconds throws its last failure. */
    public static void eventually(Assertion assertion) throws Exception {
        eventually(USUAL_LIMIT, assertion);
    }

    /** Returns as soon as {@code assertion} passes; after {@code limit} throws its last failure. */
    public static void eventually(Duration limit, Assertion assertion) throws Exception {
        long start = System.nanoTime();
        while (true) {
            try {
                assertion.check();
                return;
            } catch (Exception | AssertionError e) {
                if (System.nanoTime() - start >= limit.toNanos()
                        || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
            }
            // A pause is at most 5 % of the wait so far: tries must not take the CPU from a process that a test awaits.
            long twentieth = (System.nanoTime() - start) / 20;
            LockSupport.parkNanos(Math.max(SHORTEST_PAUSE_NANOS, Math.min(twentieth, LONGEST_PAUSE_NANOS)));
        }
    }
}
