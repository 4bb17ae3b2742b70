package dev.lychgate.chain;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/**
 * Measures CPU time and allocation of the current thread. The class is loaded only if the budget of a filter bounds CPU
 * time or allocation.
 */
final class ThreadUsage {
    private static final @Nullable ThreadUsage OF_JVM = create();

    private final ThreadMXBean threads;

    private ThreadUsage(ThreadMXBean threads) {
        this.threads = threads;
    }

    /** Returns the measurement of this JVM; null if the JVM cannot measure CPU time, or cannot measure allocation. */
    static @Nullable ThreadUsage ofJvm() {
        return OF_JVM;
    }

    private static @Nullable ThreadUsage create() {
        return ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads
                        && threads.isCurrentThreadCpuTimeSupported()
                        && threads.isThreadCpuTimeEnabled()
                        && threads.isThreadAllocatedMemorySupported()
                        && threads.isThreadAllocatedMemoryEnabled()
                ? new ThreadUsage(threads)
                : null;
    }

    long cpuNanos() {
        return threads.getCurrentThreadCpuTime();
    }

    long allocatedBytes() {
        return threads.getCurrentThreadAllocatedBytes();
    }
}
