package dev.lychgate.gateway;

import dev.lychgate.config.Transport;
import io.netty.channel.Channel;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringDatagramChannel;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.ThreadPerTaskExecutor;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.concurrent.Executor;

/** An interface of the operating system for sockets, and Netty's classes that use it. */
enum NettyTransport {
    EPOLL(EpollServerSocketChannel.class, EpollSocketChannel.class, EpollDatagramChannel.class),
    IO_URING(IoUringServerSocketChannel.class, IoUringSocketChannel.class, IoUringDatagramChannel.class),
    NIO(NioServerSocketChannel.class, NioSocketChannel.class, NioDatagramChannel.class);

    final Class<? extends ServerChannel> server;
    final Class<? extends SocketChannel> client;
    final Class<? extends DatagramChannel> datagram;

    NettyTransport(
            Class<? extends ServerChannel> server,
            Class<? extends SocketChannel> client,
            Class<? extends DatagramChannel> datagram) {
        this.server = server;
        this.client = client;
        this.datagram = datagram;
    }

    /**
     * Selects the transport that the configuration names. For {@code AUTO}, selects epoll if it is available, and NIO
     * if it is not.
     *
     * @throws StartFailure if the configuration names a transport that is not available
     */
    static NettyTransport choose(Transport wanted) {
        return switch (wanted) {
            case AUTO -> Epoll.isAvailable() ? EPOLL : NIO;
            case NIO -> NIO;
            case EPOLL -> {
                require(Epoll.isAvailable(), "epoll", Epoll.unavailabilityCause());
                yield EPOLL;
            }
            case IO_URING -> {
                require(IoUring.isAvailable(), "io_uring", IoUring.unavailabilityCause());
                yield IO_URING;
            }
        };
    }

    private static void require(boolean available, String name, Throwable cause) {
        if (!available) {
            throw new StartFailure("transport: " + name + " is not available on this machine: " + cause.getMessage());
        }
    }

    /** Returns the name of this transport in the configuration, such as {@code epoll}. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Creates a group of event loops.
     *
     * @param threads the number of event loops
     * @param chooser selects the loop of each new channel
     * @param handlers creates the I/O handler of each loop; see {@link #handlers()}
     */
    static MultiThreadIoEventLoopGroup group(int threads, AcceptingLoops chooser, IoHandlerFactory handlers) {
        Executor threadEach = new ThreadPerTaskExecutor(new DefaultThreadFactory("lychgate-loop"));
        return new MultiThreadIoEventLoopGroup(threads, threadEach, chooser, handlers);
    }

    IoHandlerFactory handlers() {
        return switch (this) {
            case EPOLL -> EpollPerTurn.newFactory();
            case IO_URING -> IoUringIoHandler.newFactory();
            case NIO -> NioIoHandler.newFactory();
        };
    }

    /** Creates a socket for a connection to {@code address}. */
    Channel socketTo(InetSocketAddress address) {
        return switch (this) {
            // An IPv4 socket costs the kernel slightly less than a dual-stack socket: when it is created, for each
            // packet, and when it is closed.
            case EPOLL ->
                address.getAddress() instanceof Inet4Address
                        ? new EpollSocketChannel(SocketProtocolFamily.INET)
                        : new EpollSocketChannel();
            case IO_URING -> new IoUringSocketChannel();
            case NIO -> new NioSocketChannel();
        };
    }

    /** Returns whether several listening sockets may share a port. */
    boolean canReusePort() {
        return this != NIO;
    }
}
