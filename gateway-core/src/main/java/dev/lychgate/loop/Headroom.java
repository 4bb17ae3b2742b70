package dev.lychgate.loop;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.util.internal.PlatformDependent;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;

/**
 * Computes how much direct memory is left, and how many bytes one connection may hold. The limit of a connection
 * decreases with the remaining memory. If many clients read large bodies slowly, other clients become slower, but the
 * memory is exhausted only if the number of slow clients is in the thousands. Thread-safe.
 */
public final class Headroom {
    /** Maximum number of bytes that a connection may hold; docs/performance.md explains the value. */
    static final int MOST = 512 << 10;
    /** Bytes that a connection may always hold: the size of a loop's small buffers. */
    static final int LEAST = LoopAllocator.SMALL;

    /**
     * Divisor for the limit of a connection. The limit is the free memory divided by this number, multiplied by the
     * fraction of the memory that is free.
     */
    private static final int PART = 128;

    private static final int SCARCE = 8;
    /**
     * Divisor of the pool's usable memory. It applies only if the pool should not allocate a new chunk. In this case,
     * the size of an allocation is limited to the usable memory divided by this number, because an allocation of this
     * size usually fits into an existing chunk.
     */
    private static final int PIECES = 8;

    static final long ALL = MemoryCounting.limit();
    private static final PooledByteBufAllocator POOL = PooledByteBufAllocator.DEFAULT;
    private static final long RECENT = TimeUnit.MILLISECONDS.toNanos(1);
    private static final AtomicLong COUNTED = new AtomicLong(System.nanoTime() - 2 * RECENT);
    private static volatile long usable;

    private static final QuietPeriod TOLD = new QuietPeriod();
    private static final Refusals REFUSALS = new Refusals();
    /** Maximum number of nested causes of an exception that are searched for a lack of memory. */
    private static final int CAUSES = 8;
    /**
     * Divisor for the reserve: all memory divided by this number is reserved for small buffers, so that exchanges in
     * progress can finish.
     */
    private static final int RESERVE = 32;

    private Headroom() {}

    /** Returns the number of bytes that one connection may hold now: a power of two, at least {@value #LEAST}. */
    public static int share() {
        return share(ALL, left());
    }

    static int share(long all, long left) {
        double part = (double) left * left / all / PART;
        return Integer.highestOneBit((int) Math.max(LEAST, Math.min(MOST, part)));
    }

    /**
     * Returns whether memory is so scarce that the gateway reclaims memory from clients that do not read their
     * responses.
     */
    public static boolean isScarce() {
        return left() < ALL / SCARCE;
    }

    private static long left() {
        // Netty cannot count its memory on every JVM. Without a count, all memory counts as free.
        long unreserved = ALL - Math.max(0, PlatformDependent.usedDirectMemory());
        return unreserved >= ALL / 2 ? unreserved : unreserved + usable();
    }

    /**
     * Returns half of the unused bytes in the pool's chunks, because fragmentation prevents the use of all of them. The
     * result is cached, because counting acquires the pool's locks.
     */
    private static long usable() {
        long now = System.nanoTime();
        long counted = COUNTED.get();
        if (now - counted > RECENT && COUNTED.compareAndSet(counted, now)) {
            long free = POOL.metric().usedDirectMemory() - POOL.pinnedDirectMemory();
            usable = Math.max(0, free / 2);
        }
        return usable;
    }

    /**
     * Limits a channel's write buffer before a large chunk is written. Above the high watermark, the gateway writes no
     * more until the peer reads.
     *
     * @param config configuration of the channel to which the chunk is written; the caller is on the event loop of this
     *     channel
     * @param usual watermarks that apply while memory is ample
     */
    public static void bound(ChannelConfig config, WriteBufferWaterMark usual) {
        int most = Math.min(usual.high(), share());
        if (config.getWriteBufferHighWaterMark() != most) {
            config.setWriteBufferWaterMark(
                    most == usual.high() ? usual : new WriteBufferWaterMark(Math.min(usual.low(), most / 2), most));
        }
    }

    /**
     * Refuses an allocation that exceeds the remaining memory. Called before the pool, because the pool may detect the
     * excess only after the JVM has allocated the memory.
     *
     * @param bytes size of the allocation
     * @throws OutOfMemoryError if the allocation is refused
     */
    static void admit(int bytes) {
        long used = Math.max(0, PlatformDependent.usedDirectMemory());
        if (ALL - used >= ALL / 2) {
            return;
        }
        long left = left();
        // The pool's unused memory is fragmented, and some of it belongs to other threads.
        if (!(MemoryCounting.isChunkRisky() ? bytes <= usable() / PIECES : fits(bytes, ALL, left))) {
            throw new MemoryRefusal(bytes, left);
        }
    }

    static boolean fits(int bytes, long all, long left) {
        long reserve = bytes > LEAST ? all / RESERVE : 0;
        return left - bytes >= reserve;
    }

    /**
     * Returns whether {@code cause} is a lack of direct memory. Counts the failures that have this cause, and logs them
     * at a limited rate.
     */
    public static boolean isRefusal(Throwable cause, Logger log) {
        Throwable refusal = cause;
        // The refusal may be a nested cause, because codecs wrap it. An exhaustion of the heap never reaches this
        // method, because it ends the process.
        for (int i = 0; i < CAUSES && refusal != null && !(refusal instanceof OutOfMemoryError); i++) {
            refusal = refusal.getCause();
        }
        if (!(refusal instanceof OutOfMemoryError)) {
            return false;
        }
        long now = System.nanoTime();
        REFUSALS.add(now);
        String more = TOLD.tell(now);
        if (more != null) {
            log.error(
                    "no direct memory is left: {}; the operation is aborted; if this recurs, raise"
                            + " -XX:MaxDirectMemorySize{}",
                    refusal.getMessage(),
                    more);
        }
        return true;
    }

    /** Returns the number of operations that failed for lack of direct memory. */
    public static long refused() {
        return REFUSALS.count();
    }

    /**
     * Returns whether allocations of direct memory have failed continuously for at least 5 s and still fail. Traffic
     * should then go to other gateways.
     */
    public static boolean isExhausted() {
        return REFUSALS.areLasting(System.nanoTime());
    }

    /** Returns the maximum number of bytes that all buffers together may use. */
    public static long limit() {
        return ALL;
    }
}
