package dev.lychgate.perf.load;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2StreamFrame;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * An origin of gRPC over HTTP/2 without TLS. It reads each request to its end, and then responds with messages and the
 * trailer {@code grpc-status: 0}. It sends 100 messages of 1 KiB at {@code /stream}, and one message of 100 bytes at any
 * other path. One event loop does everything.
 *
 * <p>Argument: port.
 */
public final class GrpcOrigin implements AutoCloseable {
    /** A flag and the length of the message. */
    private static final int PREFIX = 5;

    private static final ByteBuf UNARY = messages(100, 1);
    private static final ByteBuf STREAM = messages(1024, 100);

    private final EventLoopGroup group =
            new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("origin", true), EpollIoHandler.newFactory());
    private final Channel server;

    /**
     * Starts an origin.
     *
     * @param port 0 for any free port
     */
    public GrpcOrigin(int port) {
        server = new ServerBootstrap()
                .group(group)
                .channel(EpollServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, 4096)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(
                                        Http2FrameCodecBuilder.forServer().build(),
                                        new Http2MultiplexHandler(new ChannelInitializer<>() {
                                            @Override
                                            protected void initChannel(Channel stream) {
                                                stream.pipeline().addLast(new Call());
                                            }
                                        }));
                    }
                })
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .syncUninterruptibly()
                .channel();
    }

    private static ByteBuf messages(int length, int count) {
        ByteBuf bytes = Unpooled.directBuffer(count * (PREFIX + length));
        for (int i = 0; i < count; i++) {
            bytes.writeByte(0).writeInt(length).writeZero(length);
        }
        return Unpooled.unreleasableBuffer(bytes);
    }

    /** Returns the port of the origin. */
    public int port() {
        return ((InetSocketAddress) server.localAddress()).getPort();
    }

    @Override
    public void close() {
        server.close().syncUninterruptibly();
        group.shutdownGracefully(0, 0, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private static final class Call extends SimpleChannelInboundHandler<Http2StreamFrame> {
        private ByteBuf response = UNARY;

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, Http2StreamFrame frame) {
            boolean end = false;
            if (frame instanceof Http2HeadersFrame head) {
                CharSequence path = head.headers().path();
                response = path != null && path.toString().startsWith("/stream") ? STREAM : UNARY;
                end = head.isEndStream();
            } else if (frame instanceof Http2DataFrame data) {
                end = data.isEndStream();
            }
            if (end) {
                respond(ctx);
            }
        }

        private void respond(ChannelHandlerContext ctx) {
            Http2Headers head = new DefaultHttp2Headers().status("200").set("content-type", "application/grpc");
            ctx.write(new DefaultHttp2HeadersFrame(head));
            ctx.write(new DefaultHttp2DataFrame(response.duplicate()));
            Http2Headers trailers = new DefaultHttp2Headers().set("grpc-status", "0");
            ctx.writeAndFlush(new DefaultHttp2HeadersFrame(trailers, true));
        }
    }

    /** Starts an origin that runs until it is killed. */
    public static void main(String[] args) throws InterruptedException {
        if (args.length != 1) {
            throw new IllegalArgumentException("expected: PORT");
        }
        try (GrpcOrigin origin = new GrpcOrigin(Integer.parseInt(args[0]))) {
            origin.server.closeFuture().sync();
        }
    }
}
