package dev.lychgate.loop;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledUnsafeDirectByteBuf;
import io.netty.util.internal.PlatformDependent;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The buffers of one event loop. Small direct ones, which is what most reads and writes need, lie on a stack: whoever wants one
 * gets the one that was let go of last, with its memory still in the processor's caches, and neither taking nor returning it
 * touches anything that other threads share. All others are Netty's pooled ones, and so are small ones beyond a bound, those that
 * another thread asks for, and all where the JVM denies direct access to memory.
 *
 * <p>May be used by any thread; its buffers may be released by any.
 */
public final class LoopAllocator extends AbstractByteBufAllocator {
    /** Up to this size a buffer is small, in bytes: a head and its small body, and a page. */
    public static final int SMALL = 4096;

    /** As many small buffers are kept at most: 1 MiB. */
    private static final int MOST = 256;

    private static final PooledByteBufAllocator POOLED = PooledByteBufAllocator.DEFAULT;

    private final boolean stacked = PlatformDependent.hasUnsafe();
    private final ArrayDeque<Small> free = new ArrayDeque<>(MOST);
    private @Nullable Thread owner;
    private int made;
    /** How many of them other threads have freed. */
    private final AtomicInteger strayed = new AtomicInteger();

    /** For a loop that has yet to say which thread it is. */
    LoopAllocator() {
        super(true);
    }

    /** Called on the loop, once: the calling thread is its own. */
    void bind() {
        owner = Thread.currentThread();
    }

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
        if (initialCapacity > SMALL || maxCapacity < SMALL || Thread.currentThread() != owner) {
            return POOLED.directBuffer(initialCapacity, maxCapacity);
        }
        Small small = free.pollLast();
        if (small == null) {
            if (!mayMake()) {
                return POOLED.directBuffer(initialCapacity, maxCapacity);
            }
            made++;
            small = new Small(this, maxCapacity);
        } else {
            small.reuse(maxCapacity);
        }
        return toLeakAwareBuffer(small);
    }

    @Override
    protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
        return POOLED.heapBuffer(initialCapacity, maxCapacity);
    }

    @Override
    public boolean isDirectBufferPooled() {
        return true;
    }

    private boolean mayMake() {
        if (made == MOST) {
            made -= strayed.getAndSet(0);
        }
        return stacked && made < MOST;
    }

    /** Nobody uses {@code small} any more. @return whether it is kept; if not, its memory is to be freed */
    private boolean keep(Small small) {
        if (Thread.currentThread() != owner) {
            strayed.incrementAndGet();
            return false;
        }
        if (small.capacity() != SMALL) {
            // It has grown; whoever wants a small one next gets a new one.
            made--;
            return false;
        }
        free.addLast(small);
        return true;
    }

    private static final class Small extends UnpooledUnsafeDirectByteBuf {
        private final LoopAllocator home;

        Small(LoopAllocator home, int maxCapacity) {
            super(home, SMALL, maxCapacity);
            this.home = home;
        }

        void reuse(int maxCapacity) {
            maxCapacity(maxCapacity);
            resetRefCnt();
            clear();
            markReaderIndex();
            markWriterIndex();
        }

        @Override
        protected void deallocate() {
            if (!home.keep(this)) {
                super.deallocate();
            }
        }
    }
}
