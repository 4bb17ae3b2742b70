package dev.lychgate.splice;

import dev.lychgate.tls.TlsChannels;
import io.netty.channel.Channel;
import io.netty.channel.DefaultMessageSizeEstimator;
import io.netty.channel.MessageSizeEstimator;
import io.netty.channel.epoll.EpollSocketChannel;

/** Determines which channels support splicing, which moves bytes between two sockets within the kernel. */
public final class Splicing {
    private static final MessageSizeEstimator.Handle OTHERS = DefaultMessageSizeEstimator.DEFAULT.newHandle();

    /**
     * Determines the sizes of pending writes. Unlike the default of Netty, this estimator counts the bytes of spliced
     * chunks. Netty counts a spliced chunk as 0 bytes, because it is a file region.
     */
    private static final MessageSizeEstimator SIZES =
            () -> message -> message instanceof SplicedPiece piece ? (int) piece.count() : OTHERS.size(message);

    private Splicing() {}

    /**
     * Returns whether {@code channel} supports splicing. A channel supports splicing if it uses epoll and does not use
     * TLS, because with TLS the bytes in the kernel are encrypted.
     */
    public static boolean isPossible(Channel channel) {
        return channel instanceof EpollSocketChannel && !TlsChannels.isEncrypted(channel);
    }

    /**
     * Prepares {@code channel} for writes of spliced chunks. The bytes of the chunks then count toward the watermarks
     * of the channel, so that stalled clients are detected. Must be called before the first write.
     */
    public static void expect(Channel channel) {
        channel.config().setMessageSizeEstimator(SIZES);
    }
}
