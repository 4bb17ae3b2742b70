package dev.lychgate.server.loop;

import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * Creates event loops and selects sockets for the small servers and clients that accompany the gateway. The event loops
 * prefer epoll, as the gateway does.
 */
public final class ServerLoops {
    private ServerLoops() {}

    /**
     * Starts event loops on daemon threads.
     *
     * @param name prefix of the names of the threads
     */
    public static EventLoopGroup start(int threads, String name) {
        return new MultiThreadIoEventLoopGroup(
                threads,
                new DefaultThreadFactory(name, true),
                Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    }

    /** Returns the type of sockets with which these event loops accept connections. */
    public static Class<? extends ServerChannel> sockets() {
        return Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    }

    /** Returns the type of sockets with which these event loops open connections. */
    public static Class<? extends Channel> clientSockets() {
        return Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class;
    }

    /**
     * Closes all connections, and waits at most some seconds until the event loops have ended. Must not be called on
     * one of {@code loops}.
     */
    public static void stop(EventLoopGroup loops) {
        loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
