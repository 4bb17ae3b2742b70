package dev.lychgate.filters.testing;

import java.time.Duration;

/**
 * The simulated clock of an exchange. It advances when the test calls {@link #advance}, and at no other time. The clock
 * determines when the timeouts of filters and origins expire. Filters that read the system clock are not affected. The
 * clock has the resolution of the gateway's deadlines, which is 100 ms.
 */
public final class TestClock {
    private final Trial trial;

    TestClock(Trial trial) {
        this.trial = trial;
    }

    /**
     * Advances the clock by {@code duration}, and in addition by the maximum delay with which the gateway handles
     * deadlines. Therefore, every deadline within {@code duration} expires.
     */
    public void advance(Duration duration) {
        trial.advance(duration);
    }
}
