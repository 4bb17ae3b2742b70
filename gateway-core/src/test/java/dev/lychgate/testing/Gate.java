package dev.lychgate.testing;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Holds a script until the test lets it go on. Opens once, for all who wait and all who come later. */
public final class Gate {
    private final CountDownLatch latch = new CountDownLatch(1);

    /** Lets everybody through. */
    public void open() {
        latch.countDown();
    }

    /** Waits until somebody opens the gate; fails after ten seconds. */
    public void await() throws InterruptedException {
        await(Wire.USUAL_LIMIT);
    }

    /** Waits until somebody opens the gate; fails after {@code limit}. */
    public void await(Duration limit) throws InterruptedException {
        if (!latch.await(limit.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new AssertionError("nobody opened the gate within " + limit);
        }
    }
}
