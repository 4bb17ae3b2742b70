package dev.lychgate.loop;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

/**
 * How much is read at once: a head with its small body in one read; a large body grows the reads, up to what a connection may
 * hold while there is so much memory left.
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
            // No connection is ever denied the least; most reads are not larger.
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
