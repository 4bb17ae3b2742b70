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
 * The buffers of one event loop. Small direct ones, which is what most reads and writes need, lie on a stack: whoever wants one
 * gets the one that was let go of last, with its memory still in the processor's caches, and neither taking nor returning it
 * touches anything that other threads share. All others are Netty's pooled ones, and so are small ones beyond a bound, and those
 * that another thread asks for.
 *
 * <p>May be used by any thread; its buffers may be released by any.
 */
public final class LoopAllocator extends AbstractByteBufAllocator {
    /** Up to this size a buffer is small, in bytes: a head and its small body, and a page. */
    public static final int SMALL = 4096;

    /** As many small buffers are kept at most: 1 MiB. */
    private static final int MOST = 256;

    private static final PooledByteBufAllocator POOLED = PooledByteBufAllocator.DEFAULT;

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

    /** A new one, or null if Netty has no memory left for it: all of it may belong to the pool, which may have some at hand. */
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
            // The pool takes its memory in pieces of some megabytes; less than that may still be left.
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

    /** Nobody uses {@code small} any more. @return whether it is kept; if not, its memory is to be freed */
    private <B extends ByteBuf & Small> boolean keep(B small) {
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

    /** One that comes back to the stack when it is let go of. */
    private sealed interface Small {
        /** Itself, as new. */
        ByteBuf renewed(int maxCapacity);
    }

    /** Where the JVM grants direct access to memory. */
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

    /** Where it does not: the default of JDK 25. */
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
