package dev.lychgate.loop;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import io.netty.buffer.UnpooledUnsafeDirectByteBuf;
import io.netty.util.internal.OutOfDirectMemoryError;
import io.netty.util.internal.PlatformDependent;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Buffer allocator of one event loop. Small direct buffers, which most reads and writes need, are kept on a stack. The
 * most recently released buffer is reused first, because its memory may still be in the processor's caches. The stack
 * belongs to the loop and accesses no shared state. Netty's pool serves all larger buffers, small buffers beyond a
 * limit, and allocations from other threads.
 *
 * <p>Thread-safe: any thread may allocate and release.
 */
public final class LoopAllocator extends AbstractByteBufAllocator {
    /** Size of a small buffer, in bytes: sufficient for a head with a small body, and equal to one memory page. */
    public static final int SMALL = 4096;

    /** Maximum number of small buffers to keep, 1 MiB in total. */
    private static final int MOST = 256;

    private static final PooledByteBufAllocator POOLED = PooledByteBufAllocator.DEFAULT;

    private final ArrayDeque<Small> free = new ArrayDeque<>(MOST);
    private @Nullable Thread owner;
    private int made;
    /** Number of small buffers that other threads have released. */
    private final AtomicInteger strayed = new AtomicInteger();

    /** Creates an allocator that is not yet bound to a thread. */
    LoopAllocator() {
        super(true);
    }

    /** Binds this allocator to the calling thread, its loop. Called once. */
    void bind() {
        owner = Thread.currentThread();
    }

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
        if (initialCapacity > SMALL || maxCapacity < SMALL || Thread.currentThread() != owner) {
            return pooled(initialCapacity, maxCapacity);
        }
        Small small = free.pollLast();
        if (small == null) {
            small = mayMake() ? make(maxCapacity) : null;
            if (small == null) {
                return pooled(initialCapacity, maxCapacity);
            }
        }
        return toLeakAwareBuffer(small.renewed(maxCapacity));
    }

    /** Returns a new small buffer; null if Netty's limit is reached. Netty's pool may then still have free memory. */
    private @Nullable Small make(int maxCapacity) {
        try {
            Small small = PlatformDependent.hasUnsafe()
                    ? new UnsafeSmall(this, maxCapacity)
                    : new SafeSmall(this, maxCapacity);
            made++;
            return small;
        } catch (OutOfDirectMemoryError e) {
            return null;
        }
    }

    private static ByteBuf pooled(int initialCapacity, int maxCapacity) {
        Headroom.admit(initialCapacity);
        try {
            return POOLED.directBuffer(initialCapacity, maxCapacity);
        } catch (OutOfDirectMemoryError e) {
            if (MemoryCounting.ofProcess() == MemoryCounting.JVM) {
                throw e;
            }
            // The pool allocates chunks of several megabytes. If less memory than a chunk is available, a single buffer
            // may still fit.
            return UnpooledByteBufAllocator.DEFAULT.directBuffer(initialCapacity, maxCapacity);
        }
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
        return made < MOST;
    }

    /**
     * Keeps an unused small buffer for reuse, if possible.
     *
     * @return false if the caller must free its memory
     */
    private <B extends ByteBuf & Small> boolean keep(B small) {
        if (Thread.currentThread() != owner) {
            strayed.incrementAndGet();
            return false;
        }
        if (small.capacity() != SMALL) {
            // The buffer has grown, so it is discarded. A new buffer replaces it on demand.
            made--;
            return false;
        }
        free.addLast(small);
        return true;
    }

    /** A buffer that returns to the stack when released. */
    private sealed interface Small {
        /** Returns this buffer, reset for reuse. */
        ByteBuf renewed(int maxCapacity);
    }

    /** A small buffer for JVMs that grant direct access to memory. */
    private static final class UnsafeSmall extends UnpooledUnsafeDirectByteBuf implements Small {
        private final LoopAllocator home;

        UnsafeSmall(LoopAllocator home, int maxCapacity) {
            super(home, SMALL, maxCapacity);
            this.home = home;
        }

        @Override
        public ByteBuf capacity(int newCapacity) {
            if (newCapacity > SMALL) {
                Headroom.admit(newCapacity);
            }
            return super.capacity(newCapacity);
        }

        @Override
        public ByteBuf renewed(int maxCapacity) {
            maxCapacity(maxCapacity);
            resetRefCnt();
            clear();
            markReaderIndex();
            markWriterIndex();
            return this;
        }

        @Override
        protected void deallocate() {
            if (!home.keep(this)) {
                super.deallocate();
            }
        }
    }

    /** A small buffer for JVMs that do not grant direct access to memory, such as JDK 25 by default. */
    private static final class SafeSmall extends UnpooledDirectByteBuf implements Small {
        private final LoopAllocator home;

        SafeSmall(LoopAllocator home, int maxCapacity) {
            super(home, SMALL, maxCapacity);
            this.home = home;
        }

        @Override
        public ByteBuf capacity(int newCapacity) {
            if (newCapacity > SMALL) {
                Headroom.admit(newCapacity);
            }
            return super.capacity(newCapacity);
        }

        @Override
        public ByteBuf renewed(int maxCapacity) {
            maxCapacity(maxCapacity);
            resetRefCnt();
            clear();
            markReaderIndex();
            markWriterIndex();
            return this;
        }

        @Override
        protected void deallocate() {
            if (!home.keep(this)) {
                super.deallocate();
            }
        }
    }
}
