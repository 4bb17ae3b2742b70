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
 * Moves bytes from a channel into pipes if the reader of the channel requests it. Netty asks this allocator for a
 * buffer whenever data is available. Before the allocator returns the buffer, it moves the data into pipes. Netty then
 * reads as usual, and detects the end of input, an error, or bytes that did not fit into the pipes. Splicing therefore
 * needs no error handling of its own, and pausing reads pauses splicing.
 *
 * <p>Until this read is complete, the channel must stay open, and the reader must only store the spliced chunks. If the
 * channel were closed earlier, Netty could read from a reused file descriptor.
 */
public final class SplicingReads implements RecvByteBufAllocator {
    /**
     * The maximum number of pipes that are filled per read. A pipe holds 16 fragments of TCP segments: 64 KiB if each
     * fragment fills a page, 23 KiB or less if the fragments are smaller.
     */
    static final int PIPES = 16;
    /**
     * The maximum number of bytes that are spliced per read. By default, reading is paused when this number of bytes is
     * pending.
     */
    static final int MOST = 240 << 10;
    /**
     * A pipe that has received at least this number of bytes counts as full. If a pipe has received fewer bytes, the
     * socket is probably empty.
     */
    private static final int FULL = 16 << 10;
    /**
     * The size of the buffer for the regular read after splicing, in bytes. It is sufficient for the end of a body, and
     * so small that copies are cheap.
     */
    private static final int REST = 512;

    /** Receives the spliced chunks of a channel. */
    public interface Reader {
        /** Returns how many of the next bytes may be spliced; 0 if splicing is not allowed. */
        long spliceable();

        /**
         * Delivers the next {@code piece.count()} bytes. The reader owns the chunk, and stores it until the read is
         * complete.
         */
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

    /**
     * Enables splicing from {@code channel}. Must be called before the first read. {@link Splicing#isPossible} must be
     * true for the channel.
     */
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

        /**
         * Moves available bytes from the socket into pipes.
         *
         * @return whether bytes were spliced
         */
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
                // The regular read, which follows, reports the error.
                return null;
            }
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier maybeMoreData) {
            // Bytes that are left in the socket are read in the next loop iteration, into empty pipes.
            return taken == 0 && usual.continueReading(maybeMoreData);
        }

        @Override
        public void readComplete() {
            // The small regular read must not affect the estimated size of the next read.
            if (taken == 0) {
                super.readComplete();
            }
        }
    }
}
