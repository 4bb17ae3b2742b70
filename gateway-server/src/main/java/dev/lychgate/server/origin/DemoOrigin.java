package dev.lychgate.server.origin;

import dev.lychgate.server.loop.ServerLoops;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.flow.FlowControlHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.UnaryOperator;

/**
 * The embedded test origin. It supports HTTP/1.0 and 1.1, keep-alive, pipelining and HEAD. It responds on any path.
 * These parameters select the response:
 *
 * <ul>
 *   <li>{@code ?length=N}: a body of N bytes of {@link DemoContent}
 *   <li>{@code ?chunked=true}: a chunked body
 *   <li>{@code ?status=N}: the response status
 *   <li>{@code ?delay=MS}: a wait before the request body is read
 *   <li>{@code ?dither=MS}: an additional random wait of up to MS
 *   <li>{@code ?close=true}: the connection is closed after the response
 * </ul>
 *
 * These paths have special responses:
 *
 * <ul>
 *   <li>{@code /echo}, or any path with {@code ?echo}: the request body, sent back as it arrives
 *   <li>{@code /headers}: the request line and headers as JSON
 *   <li>{@code /upload}: the number of bytes and the SHA-256 of the request body
 *   <li>{@code /events}: one line every 200 ms; {@code ?count=N} sets the number of lines
 *   <li>{@code /count}: the number of requests so far
 * </ul>
 *
 * Responses have no Date. Thread-safe.
 */
public final class DemoOrigin implements AutoCloseable {
    /**
     * Maximum number of decoded requests without a response. It is large because a single read buffer may contain some
     * thousand requests.
     */
    private static final int PIPELINED = 10_000;

    private static final WriteBufferWaterMark WATERMARKS = new WriteBufferWaterMark(128 << 10, 256 << 10);

    /**
     * Settings of an origin.
     *
     * @param name the name of the origin in responses
     * @param address the IP address to bind
     * @param port the port; 0 for any free port
     * @param threads number of event loops; 0 for the number of CPUs that the JVM may use
     */
    public record Settings(String name, String address, int port, int threads) {
        public Settings {
            if (port < 0 || port > 65535) {
                throw new IllegalArgumentException("port: " + port + " (expected: 0 to 65535)");
            }
            if (threads < 0 || threads > 1024) {
                throw new IllegalArgumentException("threads: " + threads + " (expected: 0 to 1024)");
            }
        }
    }

    /**
     * The state that all connections share.
     *
     * @param targets replaces the target of each request before the target is parsed; called on any event loop
     * @param requests counts complete requests, except those to {@code /count}
     */
    record State(String name, UnaryOperator<String> targets, LongAdder requests) {}

    private final EventLoopGroup loops;
    private final Channel server;
    private final State state;

    private DemoOrigin(EventLoopGroup loops, Channel server, State state) {
        this.loops = loops;
        this.server = server;
        this.state = state;
    }

    /** Starts an origin on any free port of 127.0.0.1, with one event loop. */
    public static DemoOrigin start() {
        return start(new Settings("origin", "127.0.0.1", 0, 1));
    }

    /**
     * Starts an origin.
     *
     * @throws UncheckedIOException if the address can't be bound; no thread or socket is then left open
     */
    public static DemoOrigin start(Settings settings) {
        return start(settings, UnaryOperator.identity());
    }

    /**
     * Starts an origin like {@link #start(Settings)}.
     *
     * @param targets replaces the target of each request before the target is parsed, for example to select a slow or
     *     failed response; called on any event loop
     */
    public static DemoOrigin start(Settings settings, UnaryOperator<String> targets) {
        int threads = settings.threads() > 0
                ? settings.threads()
                : Runtime.getRuntime().availableProcessors();
        EventLoopGroup loops = ServerLoops.start(threads, settings.name());
        State state = new State(settings.name(), targets, new LongAdder());
        ChannelFuture bound = new ServerBootstrap()
                .group(loops)
                .channel(ServerLoops.sockets())
                .option(ChannelOption.SO_BACKLOG, 4096)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATERMARKS)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        HttpDecoderConfig limits = new HttpDecoderConfig()
                                .setMaxInitialLineLength(64 << 10)
                                .setMaxHeaderSize(256 << 10)
                                .setMaxChunkSize(64 << 10);
                        channel.pipeline()
                                .addLast(new HttpServerCodec(limits, PIPELINED))
                                .addLast(new FlowControlHandler())
                                .addLast(new OriginHandler(state, channel));
                    }
                })
                .bind(new InetSocketAddress(settings.address(), settings.port()))
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            ServerLoops.stop(loops);
            Throwable cause = bound.cause();
            throw new UncheckedIOException(cause instanceof IOException io ? io : new IOException(cause));
        }
        return new DemoOrigin(loops, bound.channel(), state);
    }

    public int port() {
        return address().getPort();
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) server.localAddress();
    }

    /** Returns the number of complete requests so far, except those to {@code /count}. */
    public long requests() {
        return state.requests().sum();
    }

    /** Waits until the origin is closed. */
    public void awaitClosed() throws InterruptedException {
        loops.terminationFuture().await();
    }

    /**
     * Closes all connections and releases all resources. Waits until everything is closed. A second call has no effect.
     */
    @Override
    public void close() {
        server.close().awaitUninterruptibly();
        ServerLoops.stop(loops);
    }
}
