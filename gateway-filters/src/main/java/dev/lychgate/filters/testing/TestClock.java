package dev.lychgate.filters.testing;

import java.time.Duration;

/**
 * The clock of an exchange. It advances only on request. It drives the timeouts of filters and origins, but filters that read
 * the system clock do not use it. Its resolution is that of the gateway's deadlines, 100 ms.
 */
public final class TestClock {
    private final Trial trial;

    TestClock(Trial trial) {
        this.trial = trial;
    }

    /**
     * Advances the clock by {@code duration} and the lateness of deadlines, so that every deadline within {@code duration}
     * expires.
     */
    public void advance(Duration duration) {
        trial.advance(duration);
    }
}
