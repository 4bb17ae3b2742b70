package dev.lychgate.limit;

/** The clock of all rate limits. */
final class LimitClock {
    private static final long START = System.nanoTime();

    private LimitClock() {}

    /** Returns the time in nanoseconds since a fixed point, at least 1. */
    static long now() {
        return System.nanoTime() - START + 1;
    }
}
