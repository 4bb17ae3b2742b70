package dev.lychgate.splice;

import dev.lychgate.tls.TlsChannels;
import io.netty.channel.Channel;
import io.netty.channel.DefaultMessageSizeEstimator;
import io.netty.channel.MessageSizeEstimator;
import io.netty.channel.epoll.EpollSocketChannel;

/** Determines which channels support splicing: moving bytes within the kernel. */
public final class Splicing {
    private static final MessageSizeEstimator.Handle OTHERS = DefaultMessageSizeEstimator.DEFAULT.newHandle();

    /**
     * Determines the sizes of pending writes like Netty, except for spliced chunks: Netty would count each as 0 bytes,
     * because they are file regions.
     */
    private static final MessageSizeEstimator SIZES =
            () -> message -> message instanceof SplicedPiece piece ? (int) piece.count() : OTHERS.size(message);

    private Splicing() {}

    /**
     * Returns whether {@code channel} supports splicing: it uses epoll and no TLS, so that the bytes in the kernel are
     * not encrypted.
     */
    public static boolean isPossible(Channel channel) {
        return channel instanceof EpollSocketChannel && !TlsChannels.isEncrypted(channel);
    }

    /**
     * Prepares {@code channel} for writes of spliced chunks: the chunks count towards the watermarks like buffers, so
     * that stalled clients are detected. Call before the first write.
     */
    public static void expect(Channel channel) {
        channel.config().setMessageSizeEstimator(SIZES);
    }
}
