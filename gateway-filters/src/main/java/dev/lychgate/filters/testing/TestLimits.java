package dev.lychgate.filters.testing;

import dev.lychgate.config.Durations;
import java.io.PrintWriter;
import java.io.Writer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The time limits of a run of tests, and the thread group and the output of the tests.
 *
 * @param each the time limit of each test, and of the code of a script outside of its tests
 * @param all the time limit for all tests together; null if there is no such limit
 * @param begin the start of the first test, in nanoseconds of the system timer
 * @param group the thread group for the threads of scripts; null for the group of the current thread
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
     * Returns limits for tests that start now and run while the gateway serves traffic. Discards the output of the
     * tests.
     */
    static TestLimits together(Duration each, Duration all, ThreadGroup group) {
        return new TestLimits(each, all, System.nanoTime(), group, new PrintWriter(Writer.nullWriter()));
    }

    /**
     * Returns the remaining time of the current test, in nanoseconds.
     *
     * @param since the start of the current test, in nanoseconds of the system timer
     */
    long left(long since) {
        long now = System.nanoTime();
        return Math.min(each.toNanos() - (now - since), leftOfAll(now));
    }

    /** Returns whether the time limit for all tests together has expired, so that no new test may begin. */
    boolean isOver() {
        return leftOfAll(System.nanoTime()) <= 0;
    }

    private long leftOfAll(long now) {
        return all == null ? Long.MAX_VALUE : all.toNanos() - (now - begin);
    }

    /** Describes the time limit that has expired, for the report. */
    String exceeded() {
        return all != null && isOver()
                ? "was abandoned, because all tests together exceeded " + Durations.print(all)
                : "exceeded " + Durations.print(each) + " and was abandoned";
    }
}
