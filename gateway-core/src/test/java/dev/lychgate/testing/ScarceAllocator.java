package dev.lychgate.testing;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;

/** Has direct memory for a number of buffers, and refuses the others. */
public final class ScarceAllocator extends AbstractByteBufAllocator {
    private int left = Integer.MAX_VALUE;
    private boolean growing = true;
    private ByteBuf last = Unpooled.EMPTY_BUFFER;

    public ScarceAllocator() {
        super(true);
    }

    /** Refuses all but the next {@code buffers}. */
    public ScarceAllocator leave(int buffers) {
        left = buffers;
        return this;
    }

    /** Refuses to make buffers larger. */
    public void refuseGrowth() {
        growing = false;
    }

    /** The last buffer that was not refused. */
    public ByteBuf last() {
        return last;
    }

    @Override
    protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
        return UnpooledByteBufAllocator.DEFAULT.heapBuffer(initialCapacity, maxCapacity);
    }

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
        if (left == 0) {
            throw new OutOfMemoryError("none is left");
        }
        left--;
        last = new UnpooledDirectByteBuf(this, initialCapacity, maxCapacity) {
            @Override
            public ByteBuf capacity(int newCapacity) {
                if (!growing) {
                    throw new OutOfMemoryError("none is left");
                }
                return super.capacity(newCapacity);
            }
        };
        return last;
    }

    @Override
    public boolean isDirectBufferPooled() {
        return false;
    }
}
