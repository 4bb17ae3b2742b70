package dev.lychgate.testing;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Blocks a script until the test opens the gate. Opens once, for all current and future waiters. */
public final class Gate {
    private final CountDownLatch latch = new CountDownLatch(1);

    /** Releases all waiters. */
    public void open() {
        latch.countDown();
    }

    /** Waits until the gate opens; fails after 30 seconds. */
    public void await() throws InterruptedException {
        await(Wire.USUAL_LIMIT);
    }

    /** Waits until the gate opens; fails after {@code limit}. */
    public void await(Duration limit) throws InterruptedException {
        if (!latch.await(limit.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new AssertionError("the gate was not opened within " + limit);
        }
    }
}
