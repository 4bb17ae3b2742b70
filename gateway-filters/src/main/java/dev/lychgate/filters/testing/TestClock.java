package dev.lychgate.filters.testing;

import java.time.Duration;

/**
 * The clock of an exchange. It advances only when the test calls {@link #advance}. The clock determines when the
 * timeouts of filters and origins expire. Filters that read the system clock are not affected. This clock has the
 * resolution of the gateway's deadlines, 100 ms.
 */
public final class TestClock {
    private final Trial trial;

    TestClock(Trial trial) {
        this.trial = trial;
    }

    /**
     * Advances the clock by {@code duration} and additionally by the maximum delay with which the gateway handles
     * deadlines. Every deadline within {@code duration} therefore expires.
     */
    public void advance(Duration duration) {
        trial.advance(duration);
    }
}
