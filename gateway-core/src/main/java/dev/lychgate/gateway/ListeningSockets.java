package dev.lychgate.gateway;

import dev.lychgate.config.ListenerConfig;
import dev.lychgate.listener.InheritedSockets;
import dev.lychgate.listener.ListeningSocket;
import dev.lychgate.loop.ReadSizes;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannelRecvByteBufAllocator;
import io.netty.channel.unix.UnixChannelOption;
import io.netty.util.NetUtil;
import java.net.InetSocketAddress;
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
     * Returns the sockets of {@code listener}: the sockets that the process has inherited for its address, or new
     * sockets if there are none. Inherited sockets keep their number and their backlogs.
     *
     * @param connections the connection limit of the listener
     * @throws StartFailure if the transport does not support the settings
     */
    List<ListeningSocket> of(ListenerConfig listener, int connections) {
        boolean eachLoop = listener.socket().reusePort();
        if (eachLoop && !transport.canReusePort()) {
            throw new StartFailure("listener " + listener.name()
                    + ": reuse-port needs the epoll or io_uring transport, not " + transport.label());
        }
        List<EventLoopGroup> groups = groups(eachLoop, count(listener.socket().backlog(), connections));
        boolean share = eachLoop || groups.size() > 1;
        List<Integer> inherited = inherited(listener);
        if (inherited.isEmpty()) {
            return groups.stream()
                    .map(group -> ListeningSocket.bound(bootstrap(share, group)))
                    .toList();
        }
        // With fewer sockets than loops, some loops would accept nothing.
        boolean fixed = eachLoop && inherited.size() >= groups.size();
        List<ListeningSocket> sockets = new ArrayList<>();
        for (int i = 0; i < inherited.size(); i++) {
            EventLoopGroup group = fixed ? groups.get(i % groups.size()) : loops;
            sockets.add(ListeningSocket.adopted(
                    bootstrap(share, group), options(share).group(group), inherited.get(i)));
        }
        return sockets;
    }

    private List<Integer> inherited(ListenerConfig listener) {
        return transport == NettyTransport.EPOLL
                ? InheritedSockets.adopt(new InetSocketAddress(
                        listener.address().host(), listener.address().port()))
                : List.of();
    }

    /** Returns the event loops of each socket. */
    private List<EventLoopGroup> groups(boolean eachLoop, int count) {
        List<EventLoopGroup> groups = new ArrayList<>();
        if (eachLoop) {
            loops.forEach(loop -> groups.add((EventLoopGroup) loop));
        } else {
            for (int i = 0; i < (transport.canReusePort() ? count : 1); i++) {
                groups.add(loops);
            }
        }
        return groups;
    }

    static int count(int backlog, int connections) {
        int holds = Math.min(backlog, NetUtil.SOMAXCONN);
        return Math.min(MOST, Math.max(1, (connections + holds - 1) / holds));
    }

    private ServerBootstrap bootstrap(boolean share, EventLoopGroup group) {
        return options(share).channel(transport.server).group(group);
    }

    private static ServerBootstrap options(boolean share) {
        ServerBootstrap bootstrap = new ServerBootstrap()
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
