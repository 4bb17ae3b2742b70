package dev.lychgate.splice;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.util.UncheckedBooleanSupplier;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a channel into pipes where its reader wants that. Netty asks for a buffer whenever there is something to read: at that
 * moment what is there is moved into pipes first. The read that follows then finds nothing, or the end, or an error, or what
 * the pipes had no room for, and tells all of these as it always does. So nothing has to be told apart here, nothing is
 * registered a second time, and whoever pauses reading pauses this.
 *
 * <p>Nothing may close the channel meanwhile, or Netty would read off a descriptor that is somebody else's: so pieces are
 * handed over, and their reader does nothing with them before the read is over.
 */
public final class SplicingReads implements RecvByteBufAllocator {
    /** Pipes filled in one go. Each takes 16 parts of segments: 64 KiB if they are whole pages, 23 KiB or less if not. */
    static final int PIPES = 16;
    /** What is spliced in one go: as much as may wait to be sent without reading being paused, by default. */
    static final int MOST = 240 << 10;
    /** After a pipe with less in it there is most likely nothing more to read. */
    private static final int FULL = 16 << 10;
    /** What is read into memory beside pieces: large enough for the end of a body, small enough to copy nothing that matters. */
    private static final int REST = 512;

    /** Whoever reads the channel. */
    public interface Reader {
        /** How many of the bytes that come next are to be spliced; 0 = none. */
        long spliceable();

        /** The next {@code piece.count()} bytes; the reader owns it, and does nothing else before the read is over. */
        void onPiece(SplicedPiece piece);
    }

    private final RecvByteBufAllocator plain;
    private final EpollSocketChannel channel;
    private final Reader reader;

    private SplicingReads(RecvByteBufAllocator plain, EpollSocketChannel channel, Reader reader) {
        this.plain = plain;
        this.channel = channel;
        this.reader = reader;
    }

    /** To be called before {@code channel}, which {@link Splicing#isPossible} has approved, reads anything. */
    public static void on(Channel channel, Reader reader) {
        ChannelConfig config = channel.config();
        config.setRecvByteBufAllocator(
                new SplicingReads(config.getRecvByteBufAllocator(), (EpollSocketChannel) channel, reader));
    }

    @Override
    public ExtendedHandle newHandle() {
        return new SplicingHandle((ExtendedHandle) plain.newHandle());
    }

    private final class SplicingHandle extends DelegatingHandle implements ExtendedHandle {
        private final ExtendedHandle usual;
        private int taken;
        private boolean tried;

        SplicingHandle(ExtendedHandle usual) {
            super(usual);
            this.usual = usual;
        }

        @Override
        public void reset(ChannelConfig config) {
            taken = 0;
            tried = false;
            super.reset(config);
        }

        @Override
        public ByteBuf allocate(ByteBufAllocator allocator) {
            return !tried && splice() ? allocator.ioBuffer(REST) : super.allocate(allocator);
        }

        /** @return whether something has been spliced */
        private boolean splice() {
            tried = true;
            long left = Math.min(MOST, reader.spliceable());
            long count = FULL;
            while (left > 0 && taken < PIPES && count >= FULL) {
                SplicedPiece piece = take(left);
                if (piece == null) {
                    break;
                }
                taken++;
                count = piece.count();
                left -= count;
                reader.onPiece(piece);
            }
            return taken > 0;
        }

        private @Nullable SplicedPiece take(long most) {
            try {
                return SplicedPiece.of(Pipes.ofThread(), channel.fd().intValue(), most);
            } catch (IOException e) {
                // The read that follows meets the same, and knows whom to tell.
                return null;
            }
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier maybeMoreData) {
            // What is left comes with the next turn of the loop, into pipes that are empty again.
            return taken == 0 && usual.continueReading(maybeMoreData);
        }

        @Override
        public void readComplete() {
            // That little was read into memory says nothing about the next read.
            if (taken == 0) {
                super.readComplete();
            }
        }
    }
}
