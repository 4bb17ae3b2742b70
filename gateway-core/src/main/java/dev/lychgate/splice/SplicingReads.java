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
 * Reads from a channel into pipes on request of its reader. Netty allocates a buffer whenever data is available. At
 * that moment, this allocator first moves the available bytes into pipes. The regular read that follows reports an
 * empty socket, the end, an error, or the bytes that did not fit into pipes. Splicing therefore needs no separate error
 * handling and registration, and pausing reads also pauses splicing.
 *
 * <p>The channel must stay open until that read is over; otherwise Netty could read from a reused descriptor. Until
 * then, the reader therefore only stores spliced chunks.
 */
public final class SplicingReads implements RecvByteBufAllocator {
    /**
     * Number of pipes filled per read. A pipe holds 16 fragments of TCP segments: 64 KiB if each fragment is a whole
     * page, otherwise 23 KiB or less.
     */
    static final int PIPES = 16;
    /**
     * Maximum number of bytes spliced per read. It equals the number of bytes that may be pending, by default, before
     * reading is paused.
     */
    static final int MOST = 240 << 10;
    /** If a pipe has received fewer bytes, the socket is probably empty. */
    private static final int FULL = 16 << 10;
    /** Size of the regular read after splicing: sufficient for the end of a body, too small for costly copies. */
    private static final int REST = 512;

    /** Receives the spliced chunks of a channel. */
    public interface Reader {
        /** Returns the number of the next bytes that may be spliced; 0 for none. */
        long spliceable();

        /**
         * Delivers the next {@code piece.count()} bytes. The reader owns the chunk, and only stores it until the read
         * is over.
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

    /** Enables splicing. Call before the first read of {@code channel}, which must satisfy {@link Splicing#isPossible}. */
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

        /** @return whether bytes were spliced */
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
                // The following regular read reports the same error.
                return null;
            }
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier maybeMoreData) {
            // Remaining bytes are read in the next loop iteration, into empty pipes.
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
