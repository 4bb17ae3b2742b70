package dev.lychgate.fuzz;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledHeapByteBuf;

/**
 * Counts allocated and unreleased memory, to the byte. Cheaper than Netty's leak detection and immediate: after a conversation
 * has ended and closed, {@link #held()} has to be zero. For one thread.
 */
final class CountingAllocator extends AbstractByteBufAllocator {
    private long held;

    /** Bytes that are not released. */
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
