package dev.lychgate.server.admin;

import dev.lychgate.generation.Generation;
import dev.lychgate.loop.SerialExecutor;
import dev.lychgate.server.hystrix.HystrixLines;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.timeout.ReadTimeoutHandler;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The event stream for the Hystrix dashboard: the attempts at each upstream, twice a second while a client reads. A slow
 * client misses some.
 */
final class HystrixStream implements AutoCloseable {
    static final String PATH = "/hystrix.stream";
    static final String ABOUT =
            "The outcomes of attempts at each upstream as an endless stream of events for the dashboard of Hystrix.";

    private static final Logger LOG = LoggerFactory.getLogger(HystrixStream.class);
    private static final long EVERY_MILLIS = 500;

    /** Half of the minimum of the connection limit, so that streams leave room for others. */
    static final int MOST = 32;

    private final HystrixLines lines;
    /** The event loop adds to it, the thread iterates over it. */
    private final Set<ChannelHandlerContext> listening = ConcurrentHashMap.newKeySet();

    /** Hystrix takes locks, which event loops must not. */
    private final SerialExecutor thread = SerialExecutor.passing("lychgate-hystrix");

    private volatile boolean closed;

    HystrixStream(AdminSource source) {
        this.lines = new HystrixLines(() -> {
            Generation generation = source.generation();
            return generation == null ? List.of() : generation.upstreams();
        });
    }

    /**
     * Sends events until the connection closes; no further requests are read. On the event loop, which all connections
     * share.
     *
     * @return null if it started; the response if there are too many streams
     */
    @Nullable
    AdminAnswer begin(ChannelHandlerContext ctx) {
        if (listening.size() >= MOST) {
            return AdminAnswer.unavailable("the limit of open streams is reached: " + MOST);
        }
        listening.add(ctx);
        try {
            // For each client: the thread may have ended with the previous one.
            thread.execute(this::sendWhileSomebodyListens);
        } catch (RejectedExecutionException noThread) {
            listening.remove(ctx);
            return AdminAnswer.unavailable("no thread is available for the events");
        }
        ctx.pipeline().remove(ReadTimeoutHandler.class);
        HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        head.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, "text/event-stream;charset=UTF-8")
                .set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        AdminAnswer.guard(head.headers());
        head.headers().set(HttpHeaderNames.CACHE_CONTROL, "no-cache, no-store, max-age=0, must-revalidate");
        // Before any event: writes of another thread follow this one of the event loop.
        ctx.writeAndFlush(head);
        ctx.channel().closeFuture().addListener(closed -> listening.remove(ctx));
        // Without a read, the end of the connection would not be detected.
        ctx.read();
        return null;
    }

    private void sendWhileSomebodyListens() {
        while (!closed && !listening.isEmpty()) {
            send();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(EVERY_MILLIS));
        }
    }

    private void send() {
        try {
            StringBuilder events = new StringBuilder();
            for (String line : lines.next()) {
                events.append("data: ").append(line).append("\n\n");
            }
            if (events.isEmpty()) {
                events.append("ping: \n\n");
            }
            byte[] bytes = events.toString().getBytes(StandardCharsets.UTF_8);
            listening.forEach(ctx -> send(ctx, bytes));
        } catch (RuntimeException | Error e) {
            // Otherwise the thread would end, and the dashboards would wait.
            LOG.error("the Hystrix event stream failed", e);
            listening.forEach(ChannelHandlerContext::close);
        }
    }

    private static void send(ChannelHandlerContext ctx, byte[] bytes) {
        if (ctx.channel().isWritable()) {
            ctx.writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(bytes)))
                    .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.close();
    }
}
