package dev.lychgate.listener;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.unix.UnixChannelOption;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Creates a listening socket of a listener.
 *
 * @param bootstrap binds the address if no socket is inherited, and whenever the socket must be bound again
 * @param inherited adopts a socket that another process has bound; null to bind the address
 */
public record ListeningSocket(
        ServerBootstrap bootstrap, @Nullable ServerBootstrap inherited) {
    /** Returns a socket that binds the address. */
    public static ListeningSocket bound(ServerBootstrap bootstrap) {
        return new ListeningSocket(bootstrap, null);
    }

    /**
     * Returns a socket that adopts an inherited descriptor.
     *
     * @param bootstrap binds the address if the socket must be bound again
     * @param adopting a bootstrap for the same event loops, without a channel type
     * @param descriptor the socket, which must be listening; the epoll transport is required
     */
    public static ListeningSocket adopted(ServerBootstrap bootstrap, ServerBootstrap adopting, int descriptor) {
        adopting.channelFactory(() -> new EpollServerSocketChannel(descriptor));
        return new ListeningSocket(bootstrap, adopting);
    }

    /**
     * Opens the socket. A socket that is adopted or {@linkplain InheritedSockets#isHeldBack held back} does not accept
     * connections until its channel is set to read automatically; any other socket accepts connections at once.
     *
     * @return completes when the socket is open
     */
    public ChannelFuture open(InetSocketAddress address) {
        return open(address, InheritedSockets.isHeldBack(), false);
    }

    /**
     * Opens the socket like {@link #open(InetSocketAddress)}.
     *
     * @param held whether the socket does not accept connections until its channel is set to read automatically; always
     *     the case for an adopted socket
     * @param joins whether another socket of this process uses the same port
     * @return completes when the socket is open
     */
    public ChannelFuture open(InetSocketAddress address, boolean held, boolean joins) {
        ServerBootstrap adopting = inherited;
        if (adopting != null) {
            return adopting.option(ChannelOption.AUTO_READ, false).register();
        }
        ServerBootstrap binding = held || joins ? bootstrap.clone() : bootstrap;
        if (held) {
            binding.option(ChannelOption.AUTO_READ, false);
        }
        if (joins) {
            binding.option(UnixChannelOption.SO_REUSEPORT, true);
        }
        return binding.bind(address);
    }
}
