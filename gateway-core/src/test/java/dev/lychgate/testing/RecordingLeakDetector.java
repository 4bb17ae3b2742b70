package dev.lychgate.testing;

import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Keeps the findings of Netty's leak detector, on which {@link LeakDetection} fails; Netty itself would only log them. */
final class RecordingLeakDetector<T> extends ResourceLeakDetector<T> {
    private static final Queue<String> FOUND = new ConcurrentLinkedQueue<>();

    @SuppressWarnings("deprecation") // subclasses have no other constructor
    private RecordingLeakDetector(Class<?> resource, int samplingInterval) {
        super(resource, samplingInterval);
    }

    /** Makes every detector created from now on a recording one; ByteBuf's is created with the first buffer. */
    static void install() {
        ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(new Factory());
    }

    /** Returns and removes the records kept so far. */
    static List<String> takeFound() {
        List<String> taken = new ArrayList<>();
        for (String record = FOUND.poll(); record != null; record = FOUND.poll()) {
            taken.add(record);
        }
        return taken;
    }

    @Override
    protected boolean needReport() {
        return true;
    }

    @Override
    protected void reportTracedLeak(String resourceType, String records) {
        FOUND.add(resourceType + " was not released before it was garbage" + records);
    }

    @Override
    protected void reportUntracedLeak(String resourceType) {
        FOUND.add(resourceType + " was not released before it was garbage (no records)");
    }

    private static final class Factory extends ResourceLeakDetectorFactory {
        @Override
        @SuppressWarnings("deprecation") // abstract in the super class
        public <R> ResourceLeakDetector<R> newResourceLeakDetector(
                Class<R> resource, int samplingInterval, long maxActive) {
            return newResourceLeakDetector(resource, samplingInterval);
        }

        @Override
        public <R> ResourceLeakDetector<R> newResourceLeakDetector(Class<R> resource, int samplingInterval) {
            return new RecordingLeakDetector<>(resource, samplingInterval);
        }
    }
}
