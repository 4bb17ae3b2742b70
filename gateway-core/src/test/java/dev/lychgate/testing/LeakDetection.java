package dev.lychgate.testing;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Makes a leaked buffer fail the test class before it. The service file beside it registers it for every test class; tests need
 * no code for it.
 *
 * <p>Netty detects a leak when the buffer is garbage and another one is allocated. So after each class this extension collects
 * garbage, waits until references to garbage are enqueued, and allocates. A buffer that is still referenced is not garbage and
 * not detected: clear static fields and close open resources.
 */
public final class LeakDetection implements AfterAllCallback {
    /** In the first round the collector may enqueue the marker before the buffers of the same collection. */
    private static final int ROUNDS = 2;

    private static final long LONGEST_COLLECTION_MILLIS = 30_000;

    static {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        RecordingLeakDetector.install();
    }

    /** For the service loader. */
    public LeakDetection() {}

    @Override
    public void afterAll(ExtensionContext context) throws InterruptedException {
        List<String> leaks = findLeaks();
        if (!leaks.isEmpty()) {
            throw new AssertionError(leaks.size() + " leaked resources found after " + context.getDisplayName() + ":\n"
                    + String.join("\n", leaks));
        }
    }

    private static List<String> findLeaks() throws InterruptedException {
        for (int i = 0; i < ROUNDS; i++) {
            collectGarbage();
            // Any tracked allocation makes the detector check its queue.
            PooledByteBufAllocator.DEFAULT.directBuffer(16).release();
        }
        return RecordingLeakDetector.takeFound();
    }

    @SuppressWarnings("UnusedVariable") // the marker must not be garbage before it is referred to
    private static void collectGarbage() throws InterruptedException {
        ReferenceQueue<Object> garbage = new ReferenceQueue<>();
        WeakReference<Object> marker = new WeakReference<>(new Object(), garbage);
        System.gc();
        if (garbage.remove(LONGEST_COLLECTION_MILLIS) != marker) {
            throw new AssertionError("no garbage collection: leaks cannot be found");
        }
    }
}
