package dev.lychgate.server.shadow;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Lets a thread rest for as long as it has worked, so that it uses at most half of a CPU. If the thread allocates more
 * than {@value #BYTES_PER_SECOND} bytes per second, it rests longer, so that garbage collections do not delay requests.
 * Used by one thread.
 */
final class RestingTime {
    static final long BYTES_PER_SECOND = 64L << 20;

    private static final long SHORTEST = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONGEST = TimeUnit.SECONDS.toNanos(5);

    private final @Nullable ThreadMXBean threads = ManagementFactory.getThreadMXBean() instanceof ThreadMXBean found
                    && found.isThreadAllocatedMemorySupported()
            ? found
            : null;
    private long begin = System.nanoTime();
    private long bytes = allocated();
    private long owed;

    private long allocated() {
        return threads == null ? 0 : threads.getCurrentThreadAllocatedBytes();
    }

    /** Marks the beginning of some work. */
    void work() {
        begin = System.nanoTime();
        bytes = allocated();
    }

    /** Marks the end of the work, and rests if the accumulated time to rest is long enough for a sleep. */
    void rest() throws InterruptedException {
        long worked = System.nanoTime() - begin;
        double seconds = (double) (allocated() - bytes) / BYTES_PER_SECOND;
        owed += Math.max(worked, (long) (seconds * TimeUnit.SECONDS.toNanos(1)) - worked);
        if (owed >= SHORTEST) {
            long rest = Math.min(owed, LONGEST);
            owed = 0;
            TimeUnit.NANOSECONDS.sleep(rest);
        }
    }
}
