package dev.lychgate.gateway;

import dev.lychgate.config.ListenerConfig;
import dev.lychgate.loop.ReadSizes;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannelRecvByteBufAllocator;
import io.netty.channel.unix.UnixChannelOption;
import io.netty.util.NetUtil;
import java.util.ArrayList;
import java.util.List;

/**
 * Determines how many listening sockets a listener needs, and creates their bootstraps.
 *
 * <p>The backlog of a socket limits the number of connections that wait to be accepted. The kernel has a maximum for
 * the backlog. If thousands of clients connect at the same time and the backlog is full, the clients wait seconds for
 * TCP retransmissions, and some connections are reset. Therefore, if one backlog is smaller than the connection limit,
 * several sockets share the port, so that their backlogs add up. Accepted connections are still distributed round robin
 * among the loops. With {@code reuse-port}, each loop has its own socket and keeps the connections that it accepts.
 */
record ListeningSockets(NettyTransport transport, EventLoopGroup loops) {
    private static final int MOST = 8;

    /**
     * The maximum number of connections that an event loop accepts per iteration. With a small number, the backlog of a
     * busy loop would overflow.
     */
    private static final int ACCEPTS_PER_TURN = 512;

    /**
     * Creates a bootstrap for each socket of {@code listener}.
     *
     * @param connections the connection limit of the listener
     * @throws StartFailure if the transport does not support the settings
     */
    List<ServerBootstrap> of(ListenerConfig listener, int connections) {
        List<ServerBootstrap> sockets = new ArrayList<>();
        if (listener.socket().reusePort()) {
            if (!transport.canReusePort()) {
                throw new StartFailure("listener " + listener.name()
                        + ": reuse-port needs the epoll or io_uring transport, not " + transport.label());
            }
            loops.forEach(loop -> sockets.add(bootstrap(true).group((EventLoopGroup) loop)));
        } else {
            int count = transport.canReusePort() ? count(listener.socket().backlog(), connections) : 1;
            for (int i = 0; i < count; i++) {
                sockets.add(bootstrap(count > 1).group(loops));
            }
        }
        return sockets;
    }

    static int count(int backlog, int connections) {
        int holds = Math.min(backlog, NetUtil.SOMAXCONN);
        return Math.min(MOST, Math.max(1, (connections + holds - 1) / holds));
    }

    private ServerBootstrap bootstrap(boolean share) {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .channel(transport.server)
                .option(
                        ChannelOption.RECVBUF_ALLOCATOR,
                        new ServerChannelRecvByteBufAllocator().maxMessagesPerRead(ACCEPTS_PER_TURN))
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, new ReadSizes());
        if (share) {
            bootstrap.option(UnixChannelOption.SO_REUSEPORT, true);
        }
        return bootstrap;
    }
}
