package dev.lychgate.server.demo;

import dev.lychgate.server.engine.RunningGateway;
import dev.lychgate.server.loop.ServerLoops;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends ten requests per second over HTTP/1.1 to the listener {@code demo} of a gateway in this process. The traffic
 * has a separate event loop.
 *
 * <p>The port is read from the gateway before each connect, so that no other server receives requests. When the gateway
 * drains, the traffic closes its connections, so that they do not delay the drain.
 */
final class DemoTraffic implements AutoCloseable {
    static final int REQUESTS_PER_SECOND = 10;

    private static final String LISTENER = "demo";

    /**
     * Maximum number of connections, sufficient for the slowest responses. No request is sent while all connections are
     * busy.
     */
    private static final int MOST_CONNECTIONS = 32;

    private final RunningGateway gateway;
    private final EventLoopGroup loops = ServerLoops.start(1, "demo-traffic");
    private final DemoRequests requests = new DemoRequests();
    private final ArrayDeque<Channel> idle = new ArrayDeque<>();
    private final Set<Channel> open = new HashSet<>();

    private DemoTraffic(RunningGateway gateway) {
        this.gateway = gateway;
    }

    static DemoTraffic start(RunningGateway gateway) {
        DemoTraffic traffic = new DemoTraffic(gateway);
        long period = TimeUnit.SECONDS.toMillis(1) / REQUESTS_PER_SECOND;
        var unused = traffic.loops.scheduleAtFixedRate(traffic::send, period, period, TimeUnit.MILLISECONDS);
        return traffic;
    }

    /**
     * Closes all connections, and waits until they are closed. A second call has no effect. Must not be called on the
     * event loop of the traffic.
     */
    @Override
    public void close() {
        ServerLoops.stop(loops);
    }

    private void send() {
        if (gateway.isDraining()) {
            List.copyOf(open).forEach(Channel::close);
            return;
        }
        Channel connection = idle.poll();
        if (connection != null) {
            send(connection);
        } else if (open.size() < MOST_CONNECTIONS) {
            connect();
        }
    }

    private void send(Channel connection) {
        var unused = connection.writeAndFlush(requests.next(), connection.voidPromise());
    }

    private void connect() {
        InetSocketAddress address = address();
        if (address == null) {
            return;
        }
        ChannelFuture connected = new Bootstrap()
                .group(loops)
                .channel(ServerLoops.clientSockets())
                .handler(new Connection())
                .connect(address);
        Channel channel = connected.channel();
        open.add(channel);
        channel.closeFuture().addListener(closed -> {
            open.remove(channel);
            idle.remove(channel);
        });
        connected.addListener(done -> {
            if (done.isSuccess()) {
                send(channel);
            }
        });
    }

    /** Returns the address of the listener {@code demo}; null if the current configuration has no such listener. */
    private @Nullable InetSocketAddress address() {
        return gateway.listeners().stream()
                .filter(listener -> listener.name().equals(LISTENER))
                .map(listener -> new InetSocketAddress(
                        InetAddress.getLoopbackAddress(), listener.address().getPort()))
                .findFirst()
                .orElse(null);
    }

    private final class Connection extends ChannelInitializer<Channel> {
        @Override
        protected void initChannel(Channel channel) {
            channel.pipeline().addLast(new HttpClientCodec(), new Responses());
        }
    }

    /** Reads responses and discards them. */
    private final class Responses extends SimpleChannelInboundHandler<HttpObject> {
        private boolean keepAlive;

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, HttpObject part) {
            if (part instanceof HttpResponse head) {
                keepAlive = HttpUtil.isKeepAlive(head);
            }
            if (part instanceof LastHttpContent) {
                if (keepAlive) {
                    idle.push(ctx.channel());
                } else {
                    var unused = ctx.close();
                }
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            var unused = ctx.close(); // a gateway that changes its configuration may reset connections
        }
    }

    /**
     * The requests of the demo's traffic: a fixed sequence that covers the routes of the demo. The sequence is
     * repeated. Not thread-safe.
     */
    private static final class DemoRequests {
        static final String USER_AGENT = "lychgate-demo";

        private static final int UPLOAD = 10_000;

        /**
         * The targets in sequence. Payments are so frequent that their circuit breaker detects an outage within three
         * seconds.
         */
        private static final List<String> TARGETS = List.of(
                "/",
                "/payments/1",
                "/orders/1",
                "/download?length=20000",
                "/inventory/1",
                "/payments/2",
                "/upload",
                "/reports/daily",
                "/orders/2",
                "/welcome",
                "/payments/3",
                "/headers",
                "/inventory/2",
                "/orders/3",
                "/old/page",
                "/payments/4",
                "/download?length=300000&chunked=true",
                "/orders/4",
                "/inventory/3",
                "/missing?status=404");

        private int number;

        /** Returns the next request. The caller must release it. */
        FullHttpRequest next() {
            int round = number / TARGETS.size();
            String target = TARGETS.get(number++ % TARGETS.size());
            boolean upload = target.equals("/upload");
            ByteBuf body = upload ? Unpooled.wrappedBuffer(new byte[UPLOAD]) : Unpooled.EMPTY_BUFFER;
            FullHttpRequest request = new DefaultFullHttpRequest(
                    HttpVersion.HTTP_1_1, upload ? HttpMethod.POST : HttpMethod.GET, target, body);
            request.headers().set("host", "demo.example").set("user-agent", USER_AGENT);
            if (upload) {
                request.headers().set("content-length", UPLOAD);
            } else if (target.startsWith("/orders/")) {
                request.headers().set("x-customer", 1 + round % 1000);
            } else if (target.equals("/") && round % 2 == 1) {
                request.headers().set("x-canary", "yes");
            }
            return request;
        }
    }
}
