package dev.lychgate.splice;

import dev.lychgate.tls.TlsChannels;
import io.netty.channel.Channel;
import io.netty.channel.DefaultMessageSizeEstimator;
import io.netty.channel.MessageSizeEstimator;
import io.netty.channel.epoll.EpollSocketChannel;

/** Between which channels bytes can be moved within the kernel. */
public final class Splicing {
    private static final MessageSizeEstimator.Handle OTHERS = DefaultMessageSizeEstimator.DEFAULT.newHandle();

    /** Netty's own sizes of what waits to be written, except parts of files, which it counts as 0. */
    private static final MessageSizeEstimator SIZES =
            () -> message -> message instanceof SplicedPiece piece ? (int) piece.count() : OTHERS.size(message);

    private Splicing() {}

    /** Whether what is read off {@code channel}, or written to it, is what the kernel has: plain TCP by way of epoll. */
    public static boolean isPossible(Channel channel) {
        return channel instanceof EpollSocketChannel && !TlsChannels.isEncrypted(channel);
    }

    /**
     * Lets {@code channel} be written pieces that are in pipes: they count as much towards its watermarks as buffers do, so that a
     * client that reads nothing is found out. To be called before anything is written to it.
     */
    public static void expect(Channel channel) {
        channel.config().setMessageSizeEstimator(SIZES);
    }
}
