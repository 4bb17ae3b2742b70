package dev.lychgate.testing;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import io.netty.handler.ssl.SniHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.pkitesting.X509Bundle;
import io.netty.util.AttributeKey;
import io.netty.util.Mapping;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An origin with Netty's server over TLS, in HTTP/2 or HTTP/1.1 as negotiated in the handshake. It responds to every request
 * with the protocol, and records it.
 */
public final class AlpnOrigin implements AutoCloseable {
    public static final String H2 = "h2";
    public static final String HTTP_1_1 = "http/1.1";

    private static final AttributeKey<String> SERVER_NAME = AttributeKey.valueOf(AlpnOrigin.class, "server-name");

    /**
     * A received request.
     *
     * @param protocol the protocol of the request
     * @param serverName the server name of the handshake; empty if there is none
     * @param host its Host field, or authority
     */
    public record Asked(String protocol, String serverName, String host, String path) {}

    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final List<Asked> asked = new CopyOnWriteArrayList<>();
    private final AtomicInteger accepted = new AtomicInteger();
    private final Channel server;
    private volatile SslContext tls;

    private AlpnOrigin(InetSocketAddress address, SslContext context) throws InterruptedException {
        tls = context;
        server = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .childHandler(new Accepting())
                .bind(address)
                .sync()
                .channel();
    }

    /**
     * One at a free port of 127.0.0.1.
     *
     * @param protocols the protocols of its ALPN; none = it does not support ALPN
     */
    public static AlpnOrigin start(X509Bundle certificate, String... protocols) throws Exception {
        return new AlpnOrigin(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), context(certificate, protocols));
    }

    /**
     * As {@link #start}, at an address of the test's choice.
     *
     * @param port 0 = a free one
     */
    public static AlpnOrigin at(String ip, int port, X509Bundle certificate, String... protocols) throws Exception {
        return new AlpnOrigin(new InetSocketAddress(ip, port), context(certificate, protocols));
    }

    /** Negotiates other protocols from the next connection on. */
    public void changeTo(X509Bundle certificate, String... protocols) throws Exception {
        tls = context(certificate, protocols);
    }

    private static SslContext context(X509Bundle certificate, String... protocols) throws Exception {
        SslContextBuilder builder = SslContextBuilder.forServer(
                        certificate.getKeyPair().getPrivate(), certificate.getCertificatePath())
                .sslProvider(SslProvider.JDK);
        if (protocols.length > 0) {
            builder.applicationProtocolConfig(new ApplicationProtocolConfig(
                    Protocol.ALPN,
                    SelectorFailureBehavior.NO_ADVERTISE,
                    SelectedListenerFailureBehavior.ACCEPT,
                    protocols));
        }
        return builder.build();
    }

    public int port() {
        return ((InetSocketAddress) server.localAddress()).getPort();
    }

    /** The requests so far, in order. */
    public List<Asked> asked() {
        return List.copyOf(asked);
    }

    /** The number of accepted connections, regardless of their end. */
    public int accepted() {
        return accepted.get();
    }

    /** Returns the number of open connections. */
    public int open() {
        return connections.size();
    }

    /** Closes the open connections, and continues to accept. */
    public void cut() throws InterruptedException {
        connections.close().sync();
    }

    @Override
    public void close() {
        server.close().syncUninterruptibly();
        connections.close().syncUninterruptibly();
        loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private final class Accepting extends ChannelInitializer<Channel> {
        @Override
        protected void initChannel(Channel channel) {
            accepted.incrementAndGet();
            connections.add(channel);
            Mapping<String, SslContext> remembering = name -> {
                channel.attr(SERVER_NAME).set(name == null ? "" : name);
                return tls;
            };
            channel.pipeline().addLast(new SniHandler(remembering)).addLast(new Agreed());
        }
    }

    private final class Agreed extends ApplicationProtocolNegotiationHandler {
        private Agreed() {
            super(HTTP_1_1);
        }

        @Override
        protected void configurePipeline(ChannelHandlerContext ctx, String protocol) {
            if (protocol.equals(H2)) {
                ctx.pipeline()
                        .addLast(Http2FrameCodecBuilder.forServer().build())
                        .addLast(new Http2MultiplexHandler(new ChannelInitializer<>() {
                            @Override
                            protected void initChannel(Channel stream) {
                                stream.pipeline().addLast(new Http2StreamFrameToHttpObjectCodec(true));
                                answering(stream, protocol, ctx.channel());
                            }
                        }));
            } else {
                ctx.pipeline().addLast(new HttpServerCodec());
                answering(ctx.channel(), protocol, ctx.channel());
            }
        }

        @Override
        protected void handshakeFailure(ChannelHandlerContext ctx, Throwable cause) {
            ctx.close();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            ctx.close();
        }
    }

    private void answering(Channel channel, String protocol, Channel connection) {
        String name = connection.attr(SERVER_NAME).get();
        channel.pipeline()
                .addLast(new HttpObjectAggregator(1 << 20))
                .addLast(new Answering(protocol, name == null ? "" : name));
    }

    private final class Answering extends SimpleChannelInboundHandler<FullHttpRequest> {
        private final String protocol;
        private final String serverName;

        private Answering(String protocol, String serverName) {
            this.protocol = protocol;
            this.serverName = serverName;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
            @Nullable String host = request.headers().get(HttpHeaderNames.HOST);
            asked.add(new Asked(protocol, serverName, host == null ? "" : host, request.uri()));
            ByteBuf body = ByteBufUtil.writeUtf8(ctx.alloc(), protocol);
            DefaultFullHttpResponse response =
                    new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, body);
            response.headers()
                    .setInt(HttpHeaderNames.CONTENT_LENGTH, protocol.getBytes(StandardCharsets.US_ASCII).length);
            ctx.writeAndFlush(response);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            ctx.close();
        }
    }
}
