package dev.lychgate.perf.load;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketClientHandshakerFactory;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketVersion;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Counts messages on open connections to 127.0.0.1. On a WebSocket, each connection sends one message, and sends the
 * next one when its echo arrives. On a stream of server-sent events, each connection counts the events that arrive. One
 * event loop does everything.
 *
 * <p>Commands on standard input, each with a line of JSON as its result on standard output:
 *
 * <ul>
 *   <li>{@code open websocket|events PORT PATH CONNECTIONS}: opens connections and waits until all have received a
 *       message; the result is the number of open connections
 *   <li>{@code run SECONDS}: the result is the number of messages within this time, and the number of connections that
 *       have ended
 *   <li>{@code close}: closes all connections
 * </ul>
 */
public final class Messages {
    private static final int LENGTH = 125;
    private static final long PATIENCE_SECONDS = 60;

    private final EventLoopGroup group =
            new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("messages", true), EpollIoHandler.newFactory());
    private final EventLoop loop = group.next();
    private final ByteBuf payload =
            Unpooled.unreleasableBuffer(Unpooled.directBuffer().writeZero(LENGTH));
    private final List<Channel> channels = new ArrayList<>();
    private CountDownLatch first = new CountDownLatch(0);
    private long messages;
    private int ended;
    private boolean closing;

    private int open(String kind, int port, String path, int connections) throws InterruptedException {
        closing = false;
        ended = 0;
        first = new CountDownLatch(connections);
        Bootstrap bootstrap =
                new Bootstrap().group(loop).channel(EpollSocketChannel.class).handler(of(kind, port, path));
        for (int i = 0; i < connections; i++) {
            channels.add(bootstrap.connect("127.0.0.1", port).sync().channel());
        }
        boolean complete = first.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        return connections - (complete ? 0 : Math.toIntExact(first.getCount()));
    }

    private ChannelInitializer<Channel> of(String kind, int port, String path) {
        boolean websocket = "websocket".equals(kind);
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                channel.pipeline().addLast(new HttpClientCodec());
                if (websocket) {
                    var handshaker = WebSocketClientHandshakerFactory.newHandshaker(
                            URI.create("ws://127.0.0.1:" + port + path),
                            WebSocketVersion.V13,
                            null,
                            false,
                            new DefaultHttpHeaders(),
                            1 << 16);
                    channel.pipeline()
                            .addLast(
                                    new HttpObjectAggregator(1 << 16),
                                    new WebSocketClientProtocolHandler(handshaker),
                                    new Echoes());
                } else {
                    channel.pipeline().addLast(new Events(port, path));
                }
            }
        };
    }

    private String run(long seconds) throws Exception {
        long before = loop.submit(() -> messages).get();
        long began = System.nanoTime();
        Thread.sleep(TimeUnit.SECONDS.toMillis(seconds));
        long count = loop.submit(() -> messages).get() - before;
        double lasted = (System.nanoTime() - began) / 1e9;
        int lost = loop.submit(() -> ended).get();
        return "{\"messages\": " + count + ", \"seconds\": " + lasted + ", \"ended\": " + lost + "}";
    }

    private void close() throws InterruptedException {
        loop.submit(() -> closing = true).sync();
        for (Channel channel : channels) {
            channel.close().sync();
        }
        channels.clear();
        // Closing a channel adds a task that reports the end of the channel, so these tasks must run first.
        loop.submit(() -> {}).sync();
        loop.submit(() -> {}).sync();
    }

    /** One connection: counts its messages, and its end. */
    private abstract class Receiver<T> extends SimpleChannelInboundHandler<T> {
        private boolean any;

        final void count() {
            messages++;
            if (!any) {
                any = true;
                first.countDown();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            var unused = ctx.close();
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            if (!closing) {
                ended++;
            }
            ctx.fireChannelInactive();
        }
    }

    private final class Echoes extends Receiver<WebSocketFrame> {
        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            if (event == WebSocketClientProtocolHandler.ClientHandshakeStateEvent.HANDSHAKE_COMPLETE) {
                send(ctx);
            }
        }

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, WebSocketFrame frame) {
            if (frame.content().readableBytes() != LENGTH) {
                throw new IllegalStateException("not the echo of a message: " + frame);
            }
            count();
            send(ctx);
        }

        private void send(ChannelHandlerContext ctx) {
            ctx.writeAndFlush(new BinaryWebSocketFrame(payload.duplicate()), ctx.voidPromise());
        }
    }

    private final class Events extends Receiver<HttpObject> {
        private final int port;
        private final String path;

        Events(int port, String path) {
            this.port = port;
            this.path = path;
        }

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            var request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, path);
            request.headers().set(HttpHeaderNames.HOST, "127.0.0.1:" + port);
            ctx.writeAndFlush(request, ctx.voidPromise());
        }

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, HttpObject object) {
            if (object instanceof HttpResponse response && response.status().code() != 200) {
                throw new IllegalStateException("not a stream of events: " + response.status());
            }
            if (object instanceof HttpContent content && content.content().isReadable()) {
                count();
            }
        }
    }

    /** Executes the commands of standard input. */
    public static void main(String[] args) throws Exception {
        Messages messages = new Messages();
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                System.out.println(messages.execute(line.split(" ")));
                System.out.flush();
            }
        }
    }

    private String execute(String[] command) throws Exception {
        switch (command[0]) {
            case "open" -> {
                int open = open(command[1], Integer.parseInt(command[2]), command[3], Integer.parseInt(command[4]));
                return "{\"open\": " + open + "}";
            }
            case "run" -> {
                return run(Long.parseLong(command[1]));
            }
            case "close" -> {
                close();
                return "{}";
            }
            default -> throw new IOException("unknown command: " + command[0]);
        }
    }
}
