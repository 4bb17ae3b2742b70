package dev.lychgate.fuzz;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledHeapByteBuf;

/**
 * Counts what is allocated and not yet released, to the byte. Cheaper than Netty's leak detection, and it knows at once:
 * when a conversation is over and closed, {@link #held()} has to be zero. For one thread.
 */
final class CountingAllocator extends AbstractByteBufAllocator {
    private long held;

    /** Bytes that somebody still holds. */
    long held() {
        return held;
    }

    @Override
    protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
        return new Counted(initialCapacity, maxCapacity);
    }

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
        return new Counted(initialCapacity, maxCapacity);
    }

    @Override
    public boolean isDirectBufferPooled() {
        return false;
    }

    private final class Counted extends UnpooledHeapByteBuf {
        Counted(int initialCapacity, int maxCapacity) {
            super(CountingAllocator.this, initialCapacity, maxCapacity);
        }

        @Override
        protected byte[] allocateArray(int size) {
            held += size;
            return super.allocateArray(size);
        }

        @Override
        protected void freeArray(byte[] array) {
            held -= array.length;
            super.freeArray(array);
        }
    }
}
