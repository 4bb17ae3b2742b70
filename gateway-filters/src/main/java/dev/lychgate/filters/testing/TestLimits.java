package dev.lychgate.filters.testing;

import dev.lychgate.config.Durations;
import java.io.PrintWriter;
import java.io.Writer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a run of tests.
 *
 * @param each limit of each test, and of the code of a script outside of its tests
 * @param all limit of all tests together; null for no limit
 * @param begin the start of the first test, in nanoseconds of the system timer
 * @param group the group of the threads of scripts; null for the group of the current thread
 * @param out receives the output of {@code println}; null for standard output
 */
record TestLimits(
        Duration each,
        @Nullable Duration all,
        long begin,
        @Nullable ThreadGroup group,
        @Nullable PrintWriter out) {
    static TestLimits each(Duration limit) {
        return new TestLimits(limit, null, 0, null, null);
    }

    /**
     * Returns limits for tests that start now and run while the gateway serves traffic. The output of the tests is
     * discarded.
     */
    static TestLimits together(Duration each, Duration all, ThreadGroup group) {
        return new TestLimits(each, all, System.nanoTime(), group, new PrintWriter(Writer.nullWriter()));
    }

    /**
     * Returns the remaining time, in nanoseconds.
     *
     * @param since the start of the current test
     */
    long left(long since) {
        long now = System.nanoTime();
        return Math.min(each.toNanos() - (now - since), leftOfAll(now));
    }

    /** Returns whether another test may begin. */
    boolean isOver() {
        return leftOfAll(System.nanoTime()) <= 0;
    }

    private long leftOfAll(long now) {
        return all == null ? Long.MAX_VALUE : all.toNanos() - (now - begin);
    }

    /** Describes the limit that has expired. */
    String exceeded() {
        return all != null && isOver()
                ? "was abandoned, as all tests together exceeded " + Durations.print(all)
                : "exceeded " + Durations.print(each) + " and was abandoned";
    }
}
