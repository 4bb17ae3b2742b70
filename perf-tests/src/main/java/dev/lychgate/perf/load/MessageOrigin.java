package dev.lychgate.perf.load;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * An origin of messages. It echoes the binary messages of WebSockets at {@code /echo}. At {@code /events}, it sends one
 * server-sent event per second to each client; the events of all clients are spread over the second. It responds to any
 * other path with 200. One event loop does everything.
 *
 * <p>Argument: port.
 */
public final class MessageOrigin implements AutoCloseable {
    private static final int SLOTS = 100;
    private static final ByteBuf EVENT = Unpooled.unreleasableBuffer(Unpooled.directBuffer()
            .writeBytes(("75\r\ndata: " + "x".repeat(109) + "\n\n\r\n").getBytes(StandardCharsets.US_ASCII)));

    private final EventLoopGroup group =
            new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("origin", true), EpollIoHandler.newFactory());
    private final Channel server;
    /** The clients of {@code /events}, by the hundredth of a second in which they receive their event. */
    private final List<ArrayDeque<Channel>> slots =
            Stream.generate(ArrayDeque<Channel>::new).limit(SLOTS).toList();

    private int next;
    private int opened;

    /**
     * Starts an origin.
     *
     * @param port 0 for any free port
     */
    public MessageOrigin(int port) {
        EventLoop loop = group.next();
        server = new ServerBootstrap()
                .group(group)
                .channel(EpollServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, 8192)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(
                                        new HttpServerCodec(),
                                        new HttpObjectAggregator(1 << 16),
                                        new WebSocketServerProtocolHandler("/echo"),
                                        new Echo(),
                                        new Http());
                    }
                })
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .syncUninterruptibly()
                .channel();
        long interval = TimeUnit.SECONDS.toNanos(1) / SLOTS;
        loop.scheduleAtFixedRate(this::sendEvents, interval, interval, TimeUnit.NANOSECONDS);
    }

    /** Returns the port of the origin. */
    public int port() {
        return ((InetSocketAddress) server.localAddress()).getPort();
    }

    private void sendEvents() {
        for (Channel channel : slots.get(next)) {
            if (channel.isWritable()) {
                channel.writeAndFlush(EVENT.duplicate(), channel.voidPromise());
            }
        }
        next = (next + 1) % SLOTS;
    }

    @Override
    public void close() {
        server.close().syncUninterruptibly();
        group.shutdownGracefully(0, 0, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private static final class Echo extends SimpleChannelInboundHandler<BinaryWebSocketFrame> {
        @Override
        protected void channelRead0(ChannelHandlerContext ctx, BinaryWebSocketFrame frame) {
            ctx.write(new BinaryWebSocketFrame(frame.content().retain()), ctx.voidPromise());
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            ctx.flush();
        }
    }

    private final class Http extends SimpleChannelInboundHandler<FullHttpRequest> {
        @Override
        protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
            if (request.uri().startsWith("/events")) {
                HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
                head.headers()
                        .set(HttpHeaderNames.CONTENT_TYPE, "text/event-stream")
                        .set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
                ctx.writeAndFlush(head).addListener((ChannelFutureListener) written -> subscribe(ctx.channel()));
            } else {
                var response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
                response.headers().set(HttpHeaderNames.CONTENT_LENGTH, 0);
                ctx.writeAndFlush(response, ctx.voidPromise());
            }
        }

        private void subscribe(Channel channel) {
            // The encoder would expect a further object of the response; the events are complete chunks.
            channel.pipeline().remove(HttpServerCodec.class);
            ArrayDeque<Channel> slot = slots.get(opened++ % SLOTS);
            slot.add(channel);
            channel.closeFuture().addListener(closed -> slot.remove(channel));
        }
    }

    /** Starts an origin that runs until it is killed. */
    public static void main(String[] args) throws InterruptedException {
        if (args.length != 1) {
            throw new IllegalArgumentException("expected: PORT");
        }
        try (MessageOrigin origin = new MessageOrigin(Integer.parseInt(args[0]))) {
            origin.server.closeFuture().sync();
        }
    }
}
