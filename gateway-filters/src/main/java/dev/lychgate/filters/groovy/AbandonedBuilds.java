package dev.lychgate.filters.groovy;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts builds that were given up and still run. Any thread. */
public final class AbandonedBuilds {
    private final AtomicInteger running = new AtomicInteger();

    AbandonedBuilds() {}

    void begin() {
        running.incrementAndGet();
    }

    void end() {
        running.decrementAndGet();
    }

    /** Returns how many of them have not ended. */
    public int count() {
        return running.get();
    }
}
