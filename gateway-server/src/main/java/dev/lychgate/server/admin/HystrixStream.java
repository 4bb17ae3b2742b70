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
 * The event stream for the Hystrix dashboard. It sends the counts of attempts at each upstream twice a second. A client
 * that reads too slowly misses some events.
 */
final class HystrixStream implements AutoCloseable {
    static final String PATH = "/hystrix.stream";
    static final String ABOUT =
            "The outcomes of attempts at each upstream as an endless stream of events for the dashboard of Hystrix.";

    private static final Logger LOG = LoggerFactory.getLogger(HystrixStream.class);
    private static final long EVERY_MILLIS = 500;

    /**
     * The maximum number of open streams. It is half of the smallest valid connection limit, so that connections remain
     * for other requests.
     */
    static final int MOST = 32;

    private final HystrixLines lines;
    /** The open streams. The event loop adds a stream, and the thread of the events iterates over the streams. */
    private final Set<ChannelHandlerContext> listening = ConcurrentHashMap.newKeySet();

    /** The thread that computes the events. An event loop must not compute them, because Hystrix takes locks. */
    private final SerialExecutor thread = SerialExecutor.passing("lychgate-hystrix");

    private volatile boolean closed;

    HystrixStream(AdminSource source) {
        this.lines = new HystrixLines(() -> {
            Generation generation = source.generation();
            return generation == null ? List.of() : generation.upstreams();
        });
    }

    /**
     * Sends events until the connection closes; no further requests are read. To be called on the event loop, which all
     * connections share.
     *
     * @return null if the stream has started; a rejection if there are too many streams
     */
    @Nullable
    AdminResponse begin(ChannelHandlerContext ctx) {
        if (listening.size() >= MOST) {
            return AdminResponse.unavailable("the limit of open streams is reached: " + MOST);
        }
        listening.add(ctx);
        try {
            // Executed for each client, because the thread may have ended with the previous client.
            thread.execute(this::sendWhileSomebodyListens);
        } catch (RejectedExecutionException noThread) {
            listening.remove(ctx);
            return AdminResponse.unavailable("no thread is available for the events");
        }
        ctx.pipeline().remove(ReadTimeoutHandler.class);
        HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        head.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, "text/event-stream;charset=UTF-8")
                .set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        AdminResponse.guard(head.headers());
        head.headers().set(HttpHeaderNames.CACHE_CONTROL, "no-cache, no-store, max-age=0, must-revalidate");
        // The head precedes all events, because the event loop runs writes of other threads after this write.
        ctx.writeAndFlush(head);
        ctx.channel().closeFuture().addListener(closed -> listening.remove(ctx));
        // Without a pending read, the gateway would not detect that the client closed the connection.
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
            // Without this catch block, the thread would end, and the dashboards would wait for events in vain.
            LOG.error("admin: the Hystrix event stream failed; closing its connections", e);
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
