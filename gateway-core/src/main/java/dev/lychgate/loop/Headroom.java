package dev.lychgate.loop;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.util.internal.PlatformDependent;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;

/**
 * Computes how much direct memory is left, and how much of it one connection may hold. The share of a connection
 * shrinks as memory runs out. Clients that read large bodies slowly then slow down other clients, but only thousands of
 * them could use up the memory. Thread-safe.
 */
public final class Headroom {
    /** Most bytes that a connection may hold; docs/performance.md explains the value. */
    static final int MOST = 512 << 10;
    /** Bytes that a connection may always hold: the size of a loop's small buffers. */
    static final int LEAST = LoopAllocator.SMALL;

    /**
     * Divisor: one connection may hold the free memory divided by this number. The share is further reduced in
     * proportion to the free part of the memory.
     */
    private static final int PART = 128;

    private static final int SCARCE = 8;
    /**
     * Divisor: an allocation that must not need a new chunk may take the pool's unused memory divided by this number.
     */
    private static final int PIECES = 8;

    static final long ALL = MemoryCounting.limit();
    private static final PooledByteBufAllocator POOL = PooledByteBufAllocator.DEFAULT;
    private static final long RECENT = TimeUnit.MILLISECONDS.toNanos(1);
    private static final AtomicLong COUNTED = new AtomicLong(System.nanoTime() - 2 * RECENT);
    private static volatile long usable;

    private static final QuietPeriod TOLD = new QuietPeriod();
    private static final Refusals REFUSALS = new Refusals();
    /** Longest cause chain that is searched. */
    private static final int CAUSES = 8;
    /**
     * Divisor: all memory divided by this number is a reserve for small buffers, so that exchanges in progress can
     * finish.
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

    /** Returns whether memory is scarce enough to reclaim it from clients that do not read their responses. */
    public static boolean isScarce() {
        return left() < ALL / SCARCE;
    }

    private static long left() {
        // Netty can't count its memory on every JVM; without a count, all memory appears to be left.
        long unreserved = ALL - Math.max(0, PlatformDependent.usedDirectMemory());
        return unreserved >= ALL / 2 ? unreserved : unreserved + usable();
    }

    /** Returns half of the pool's unused, fragmented memory. Cached, because counting takes the pool's locks. */
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
     * Limits the write buffer before a large chunk is written. Above the high watermark, the gateway waits for the
     * peer.
     *
     * @param config configuration of the channel to which the chunk is written; the call is on its event loop
     * @param usual watermarks for ample memory
     */
    public static void bound(ChannelConfig config, WriteBufferWaterMark usual) {
        int most = Math.min(usual.high(), share());
        if (config.getWriteBufferHighWaterMark() != most) {
            config.setWriteBufferWaterMark(
                    most == usual.high() ? usual : new WriteBufferWaterMark(Math.min(usual.low(), most / 2), most));
        }
    }

    /**
     * Refuses an allocation beyond the remaining memory before the pool is called. If the JVM allocates, the pool
     * itself would refuse only after the allocation.
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

    /** Returns whether {@code cause} is a lack of direct memory. Counts each such failure and logs at a limited rate. */
    public static boolean isRefusal(Throwable cause, Logger log) {
        Throwable refusal = cause;
        // Codecs wrap the refusal. Exhaustion of the heap is not handled here: it ends the process.
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
                    "no direct memory is left (-XX:MaxDirectMemorySize); the operation is aborted: {}{}",
                    refusal.getMessage(),
                    more);
        }
        return true;
    }

    /** Returns the number of connections closed for lack of direct memory. */
    public static long refused() {
        return REFUSALS.count();
    }

    /** Returns whether memory has been refused without a pause for 5 s and still is: traffic should go to other gateways. */
    public static boolean isExhausted() {
        return REFUSALS.areLasting(System.nanoTime());
    }

    /** Returns the maximum number of bytes that all buffers together may use. */
    public static long limit() {
        return ALL;
    }
}
