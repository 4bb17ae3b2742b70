package dev.lychgate.loop;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.internal.CleanableDirectBuffer;
import io.netty.util.internal.PlatformDependent;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/**
 * The modes of allocating and counting the direct memory of Netty's buffers. In the modes {@link #NO_CLEANER} and
 * {@link #MALLOC}, an allocation beyond the limit costs one comparison. In the mode {@link #JVM}, such an allocation
 * would cost a garbage collection on the event loop. Thread-safe.
 */
public enum MemoryCounting {
    /** Netty allocates with {@code Unsafe} and counts before it allocates. */
    NO_CLEANER("Netty counts the memory before each allocation"),
    /** Netty calls {@code malloc} (JDK 24 and newer without {@code Unsafe}) and counts before it allocates. */
    MALLOC("Netty counts the memory before each allocation by malloc"),
    /**
     * The JVM allocates the memory and Netty counts it afterwards. If Netty then refuses the buffer, only the garbage
     * collector frees its memory. The gateway keeps a margin below the JVM's limit free, so that the JVM never runs
     * {@code System.gc()} for a buffer.
     */
    JVM("the JVM counts the memory, so the gateway keeps a margin free; to let Netty count the memory, set"
            + " -Dio.netty.tryReflectionSetAccessible=true and --add-opens=java.base/java.nio=ALL-UNNAMED");

    private static final int CHUNK = PooledByteBufAllocator.DEFAULT.metric().chunkSize();
    private static final MemoryCounting OF_PROCESS = find();

    private final String description;

    MemoryCounting(String description) {
        this.description = description;
    }

    /** Returns the mode of this process. */
    public static MemoryCounting ofProcess() {
        return OF_PROCESS;
    }

    private static MemoryCounting find() {
        if (PlatformDependent.useDirectBufferNoCleaner()) {
            return NO_CLEANER;
        }
        CleanableDirectBuffer probe = PlatformDependent.allocateDirect(1);
        try {
            return probe.getClass().getName().contains("Linker") ? MALLOC : JVM;
        } finally {
            probe.clean();
        }
    }

    /** Returns the maximum number of bytes that Netty's buffers may use. */
    static long limit() {
        long netty = PlatformDependent.maxDirectMemory();
        return OF_PROCESS == JVM ? limit(netty, PlatformDependent.estimateMaxDirectMemory(), threads()) : netty;
    }

    /**
     * Returns the limit for {@link #JVM}: the JVM's limit minus a margin for one concurrent chunk allocation per
     * thread.
     *
     * @param netty Netty's limit, in bytes
     * @param jvm the JVM's limit, in bytes
     */
    static long limit(long netty, long jvm, int threads) {
        long margin = Math.min(jvm / 2, (threads + 1L) * CHUNK);
        return Math.min(netty, jvm - margin);
    }

    /**
     * Returns whether the allocation of a pool chunk could trigger garbage collection. The result is always false if
     * Netty counts the memory.
     */
    static boolean isChunkRisky() {
        return OF_PROCESS == JVM && JvmPool.left() < (threads() + 1L) * CHUNK / 2;
    }

    private static int threads() {
        return Runtime.getRuntime().availableProcessors();
    }

    @Override
    public String toString() {
        return description;
    }

    /** The JVM's count of direct memory. This class is loaded only in the mode {@link #JVM}. */
    private static final class JvmPool {
        private static final long MOST = PlatformDependent.estimateMaxDirectMemory();
        private static final @Nullable BufferPoolMXBean DIRECT =
                ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                        .filter(pool -> pool.getName().equals("direct"))
                        .findFirst()
                        .orElse(null);

        static long left() {
            return DIRECT == null ? MOST : MOST - DIRECT.getMemoryUsed();
        }
    }
}
