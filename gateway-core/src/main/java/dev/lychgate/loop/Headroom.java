package dev.lychgate.loop;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.util.internal.PlatformDependent;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;

/**
 * How much of the process's direct memory is left, and what one connection may hold of it: plenty while there is plenty, and ever less the
 * less is left. So those who ask for much and take nothing of it can slow others down, but it takes thousands of them to
 * leave nothing to anybody. Any thread may use it.
 */
public final class Headroom {
    /** What a connection may hold at most, in bytes: docs/performance.md says why it is so much. */
    static final int MOST = 512 << 10;
    /** What it may always hold, in bytes: as much as a loop has at hand. */
    static final int LEAST = LoopAllocator.SMALL;

    /** With all memory left a connection may hold this part of it; with half of it left, half this part. */
    private static final int PART = 128;

    private static final int SCARCE = 8;
    /** Of the pool's unused memory one allocation may be this part, where a new chunk must be avoided. */
    private static final int PIECES = 8;

    static final long ALL = MemoryCounting.limit();
    private static final PooledByteBufAllocator POOL = PooledByteBufAllocator.DEFAULT;
    private static final long RECENT = TimeUnit.MILLISECONDS.toNanos(1);
    private static final AtomicLong COUNTED = new AtomicLong(System.nanoTime() - 2 * RECENT);
    private static volatile long usable;

    private static final QuietPeriod TOLD = new QuietPeriod();
    private static final Refusals REFUSALS = new Refusals();
    /** As many causes of a failure are looked at. */
    private static final int CAUSES = 8;
    /** This part of the memory is for small buffers alone, with which what has begun can end. */
    private static final int RESERVE = 32;

    private Headroom() {}

    /** What one connection may hold now, in bytes: a power of two from {@value #LEAST} on. */
    public static int share() {
        return share(ALL, left());
    }

    static int share(long all, long left) {
        double part = (double) left * left / all / PART;
        return Integer.highestOneBit((int) Math.max(LEAST, Math.min(MOST, part)));
    }

    /** Whether so little is left that it must be taken back from those who take nothing of what they have asked for. */
    public static boolean isScarce() {
        return left() < ALL / SCARCE;
    }

    private static long left() {
        // Netty can't count its memory on every JVM; where it can't, all seems to be left.
        long unreserved = ALL - Math.max(0, PlatformDependent.usedDirectMemory());
        return unreserved >= ALL / 2 ? unreserved : unreserved + usable();
    }

    /** What the pool has reserved and nobody uses: half of it, for it lies in pieces. Of late, as counting it takes the pool's locks. */
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
     * Before a large piece is written: from how much on its peer lets us wait.
     *
     * @param config of the channel that it is written to; to be called on its event loop
     * @param usual its watermarks while there is plenty of memory
     */
    public static void bound(ChannelConfig config, WriteBufferWaterMark usual) {
        int most = Math.min(usual.high(), share());
        if (config.getWriteBufferHighWaterMark() != most) {
            config.setWriteBufferWaterMark(
                    most == usual.high() ? usual : new WriteBufferWaterMark(Math.min(usual.low(), most / 2), most));
        }
    }

    /**
     * Refuses an allocation for which no memory is left, before the pool is asked: where the JVM allocates, the pool's own refusal
     * would come after it has allocated.
     *
     * @param bytes how many are asked for
     * @throws OutOfMemoryError if they are refused
     */
    static void admit(int bytes) {
        long used = Math.max(0, PlatformDependent.usedDirectMemory());
        if (ALL - used >= ALL / 2) {
            return;
        }
        long left = left();
        // The pool's unused memory lies in pieces, and some of it belongs to other threads.
        if (!(MemoryCounting.isChunkRisky() ? bytes <= usable() / PIECES : fits(bytes, ALL, left))) {
            throw new MemoryRefusal(bytes, left);
        }
    }

    static boolean fits(int bytes, long all, long left) {
        long reserve = bytes > LEAST ? all / RESERVE : 0;
        return left - bytes >= reserve;
    }

    /** Whether {@code cause} is that none was left; it is counted, and logged now and then. */
    public static boolean isRefusal(Throwable cause, Logger log) {
        Throwable refusal = cause;
        // Codecs wrap it. The end of the heap is not meant: it ends the process.
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
                    "no direct memory is left (-XX:MaxDirectMemorySize), what needs it ends: {}{}",
                    refusal.getMessage(),
                    more);
        }
        return true;
    }

    /** How many connections have been closed because none was left. */
    public static long refused() {
        return REFUSALS.count();
    }

    /** Whether memory has been refused without a pause for 5 s, and still is: others should get the traffic. */
    public static boolean isExhausted() {
        return REFUSALS.areLasting(System.nanoTime());
    }

    /** How much buffers may take in all, in bytes. */
    public static long limit() {
        return ALL;
    }
}
