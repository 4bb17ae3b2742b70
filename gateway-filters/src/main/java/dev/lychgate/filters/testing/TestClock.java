package dev.lychgate.filters.testing;

import java.time.Duration;

/**
 * The clock of an exchange: stands still until it is told to advance. The times of filters and origins hang on it, not
 * what filters themselves read off the system's clock. Its resolution is that of the gateway's deadlines, 100 ms.
 */
public final class TestClock {
    private final Trial trial;

    TestClock(Trial trial) {
        this.trial = trial;
    }

    /** Lets time pass, and as much more as deadlines may be late: whatever is due within {@code duration} has been told. */
    public void advance(Duration duration) {
        trial.advance(duration);
    }
}
