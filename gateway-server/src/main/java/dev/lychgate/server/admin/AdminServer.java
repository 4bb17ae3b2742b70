package dev.lychgate.server.admin;

import dev.lychgate.config.BindAddress;
import dev.lychgate.gateway.StartFailure;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.handler.timeout.ReadTimeoutHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The admin listener. One daemon thread accepts, reads, answers and closes; at most 64 connections are open, and one that
 * sends nothing for 30 seconds, or takes more than 10 for a request, is closed. Starting and closing block and may be
 * done on any thread but its own.
 */
public final class AdminServer implements AutoCloseable {
    static final int MOST_CONNECTIONS = 64;
    private static final int READ_TIMEOUT_SECONDS = 30;
    private static final int LONGEST_START_LINE = 2048;
    private static final int LARGEST_HEADERS = 8192;
    private static final Duration LONGEST_REQUEST = Duration.ofSeconds(10);

    /** One read is decoded as a whole, and nothing more is read until all its requests are answered. */
    private static final int READ_BYTES = 4096;

    /** More than a read can hold; the shortest request line alone is some 16 bytes long. */
    private static final int PIPELINE_DEPTH = READ_BYTES / 4;

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("lychgate-admin", true), NioIoHandler.newFactory());
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final AdminPages pages;
    private final Channel acceptor;

    private AdminServer(BindAddress address, AdminSource source, Duration longestRequest) {
        InetSocketAddress where = new InetSocketAddress(address.host(), address.port());
        boolean loopback = where.getAddress() != null && where.getAddress().isLoopbackAddress();
        pages = new AdminPages(source, group.next());
        ChannelFuture bound = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_REUSEADDR, true)
                // Requests are read when they are wanted; see AdminConnection.
                .childOption(ChannelOption.AUTO_READ, false)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(READ_BYTES))
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        accept(channel, new AdminConnection(pages, loopback, longestRequest));
                    }
                })
                .bind(where)
                .awaitUninterruptibly();
        Throwable cause = bound.cause();
        if (cause != null) {
            pages.hystrix().close();
            close(group);
            throw new StartFailure("admin: can't bind " + address + ": " + reason(cause));
        }
        acceptor = bound.channel();
    }

    /**
     * Starts the admin listener; returns when it is bound.
     *
     * @param address where; port 0 lets the system choose
     * @param source what the pages are about
     * @throws StartFailure if the address can't be bound
     */
    public static AdminServer start(BindAddress address, AdminSource source) {
        return new AdminServer(address, source, LONGEST_REQUEST);
    }

    /** As {@link #start(BindAddress, AdminSource)}, with a time limit of its own for requests. */
    static AdminServer start(BindAddress address, AdminSource source, Duration longestRequest) {
        return new AdminServer(address, source, longestRequest);
    }

    private void accept(Channel channel, AdminConnection connection) {
        if (connections.size() >= MOST_CONNECTIONS) {
            channel.close();
            return;
        }
        connections.add(channel);
        HttpDecoderConfig limits = new HttpDecoderConfig()
                .setMaxInitialLineLength(LONGEST_START_LINE)
                .setMaxHeaderSize(LARGEST_HEADERS);
        channel.pipeline()
                .addLast(new ReadTimeoutHandler(READ_TIMEOUT_SECONDS))
                .addLast(new HttpServerCodec(limits, PIPELINE_DEPTH))
                .addLast(new SmallRequests())
                // One request at a time, however many have come in one read.
                .addLast(new FlowControlHandler())
                .addLast(connection);
    }

    private static String reason(Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        return cause instanceof BindException && message.contains("Address already in use")
                ? "the address is already in use"
                : message;
    }

    /** Where it is bound. */
    public InetSocketAddress address() {
        return (InetSocketAddress) acceptor.localAddress();
    }

    /** Stops; whatever is under way is cut. */
    @Override
    public void close() {
        acceptor.close();
        connections.close();
        pages.hystrix().close();
        close(group);
    }

    private static void close(EventLoopGroup group) {
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
