package dev.lychgate.perf.load;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * An origin whose capacity is limited by its concurrency and not by a CPU. It serves up to a fixed number of requests
 * at a time, each for the same time, and queues all others. One event loop does everything.
 *
 * <p>The origin responds with 200 to any GET without a body. It responds to {@code /count} at once, with the number of
 * served requests and the longest length of the queue.
 *
 * <p>Arguments: port, concurrent requests, milliseconds for each request.
 */
public final class LimitedOrigin implements AutoCloseable {
    private static final byte[] END_OF_HEAD = {'\r', '\n', '\r', '\n'};

    private final EventLoopGroup group =
            new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("origin", true), EpollIoHandler.newFactory());
    private final EventLoop loop = group.next();
    private final Channel server;
    private final int concurrent;
    private final int millis;
    private final ArrayDeque<ChannelHandlerContext> waiting = new ArrayDeque<>();
    private final ByteBuf response = Unpooled.unreleasableBuffer(response("served\n"));
    private int busy;
    private int longest;
    private long served;

    /**
     * Starts an origin.
     *
     * @param port 0 for any free port
     * @param concurrent the number of requests that are served at the same time
     * @param millis the time to serve one request
     */
    public LimitedOrigin(int port, int concurrent, int millis) {
        this.concurrent = concurrent;
        this.millis = millis;
        this.server = new ServerBootstrap()
                .group(group)
                .channel(EpollServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, 4096)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new Requests());
                    }
                })
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .syncUninterruptibly()
                .channel();
    }

    public static void main(String[] args) throws Exception {
        try (LimitedOrigin origin =
                new LimitedOrigin(Integer.parseInt(args[0]), Integer.parseInt(args[1]), Integer.parseInt(args[2]))) {
            origin.server.closeFuture().sync();
        }
    }

    /** Returns the port. */
    public int port() {
        return ((InetSocketAddress) server.localAddress()).getPort();
    }

    private static ByteBuf response(String body) {
        String text = "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
        return Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII);
    }

    /** The requests of one connection, without bodies. */
    private final class Requests extends ByteToMessageDecoder {
        private static final String COUNT = "GET /count ";

        @Override
        protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
            int end = endOfHead(in);
            if (end < 0) {
                return;
            }
            boolean isCount = in.readableBytes() > COUNT.length()
                    && in.toString(in.readerIndex(), COUNT.length(), StandardCharsets.US_ASCII)
                            .equals(COUNT);
            in.readerIndex(end);
            if (isCount) {
                String counts = "{\"served\": " + served + ", \"longest\": " + longest + "}";
                context.writeAndFlush(response(counts), context.voidPromise());
            } else {
                begin(context);
            }
        }

        private static int endOfHead(ByteBuf in) {
            for (int i = in.readerIndex(); i <= in.writerIndex() - END_OF_HEAD.length; i++) {
                i = in.indexOf(i, in.writerIndex(), END_OF_HEAD[0]);
                if (i < 0 || i > in.writerIndex() - END_OF_HEAD.length) {
                    return -1;
                }
                if (in.getByte(i + 1) == END_OF_HEAD[1]
                        && in.getByte(i + 2) == END_OF_HEAD[2]
                        && in.getByte(i + 3) == END_OF_HEAD[3]) {
                    return i + END_OF_HEAD.length;
                }
            }
            return -1;
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            var unused = context.close();
        }
    }

    private void begin(ChannelHandlerContext context) {
        if (busy < concurrent) {
            serve(context);
        } else {
            waiting.add(context);
            longest = Math.max(longest, waiting.size());
        }
    }

    private void serve(ChannelHandlerContext context) {
        busy++;
        var unused = loop.schedule(() -> end(context), millis, TimeUnit.MILLISECONDS);
    }

    private void end(ChannelHandlerContext context) {
        busy--;
        served++;
        context.writeAndFlush(response.duplicate(), context.voidPromise());
        ChannelHandlerContext next = waiting.poll();
        if (next != null) {
            serve(next);
        }
    }

    @Override
    public void close() {
        server.close().awaitUninterruptibly();
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
