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
 * Decides how many listening sockets a listener has, and how each is made.
 *
 * <p>A listening socket holds no more connections waiting to be accepted than its backlog, which the kernel caps. When
 * thousands of clients come at once, those that find it full wait for seconds until TCP tries again, and some are reset.
 * So where one backlog can't hold as many connections as the listener may take, several sockets share the port and their
 * backlogs add up; accepted connections are dealt out to the loops in turn all the same. With {@code reuse-port} there is
 * one socket per loop, and what it accepts stays on that loop.
 */
record ListeningSockets(NettyTransport transport, EventLoopGroup loops) {
    private static final int MOST = 8;

    /**
     * Connections accepted in one turn of an event loop. A small number lets the backlog overflow when many come to a
     * loop that is busy.
     */
    private static final int ACCEPTS_PER_TURN = 512;

    /**
     * How to make each socket of {@code listener}.
     *
     * @param connections how many connections it may hold open
     * @throws StartFailure if the listener asks for what the transport can't do
     */
    List<ServerBootstrap> of(ListenerConfig listener, int connections) {
        List<ServerBootstrap> sockets = new ArrayList<>();
        if (listener.socket().reusePort()) {
            if (!transport.canReusePort()) {
                throw new StartFailure("listener " + listener.name()
                        + ": reuse-port needs the epoll or io_uring transport, this is " + transport.label());
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
