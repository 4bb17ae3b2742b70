package dev.lychgate.loop;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

/**
 * Sizes of the buffers for reads. One read is large enough for a head with a small body. While a large body is
 * received, reads grow up to the connection's share of the remaining memory.
 */
public final class ReadSizes extends AdaptiveRecvByteBufAllocator {
    private static final int LEAST = 2048;
    private static final int FIRST = 4096;

    public ReadSizes() {
        super(LEAST, FIRST, Headroom.MOST);
    }

    @Override
    public ExtendedHandle newHandle() {
        return new Bounded((ExtendedHandle) super.newHandle());
    }

    private static final class Bounded extends DelegatingHandle implements ExtendedHandle {
        private final ExtendedHandle usual;

        Bounded(ExtendedHandle usual) {
            super(usual);
            this.usual = usual;
        }

        @Override
        public int guess() {
            int guess = usual.guess();
            // Every connection may use the minimum, and most reads need no more.
            return guess <= Headroom.LEAST ? guess : Math.min(guess, Headroom.share());
        }

        @Override
        public ByteBuf allocate(ByteBufAllocator allocator) {
            return allocator.ioBuffer(guess());
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier maybeMoreData) {
            return usual.continueReading(maybeMoreData);
        }
    }
}
