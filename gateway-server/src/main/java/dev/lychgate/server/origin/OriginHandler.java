package dev.lychgate.server.origin;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One connection of a {@link DemoOrigin}. It serves one request at a time, and reads nothing during a delay or a
 * response. {@code FlowControlHandler} buffers requests that are already decoded.
 */
final class OriginHandler extends SimpleChannelInboundHandler<HttpObject> {
    private final DemoOrigin.State origin;
    private final Channel channel;
    private Stage stage = Stage.READING;
    private @Nullable OriginExchange exchange;
    private @Nullable Future<?> timer;

    private enum Stage {
        /** The handler reads a request, or waits for the next request. */
        READING,
        /**
         * The handler reads nothing, because a delay or a response is in progress, or because the connection is about
         * to close.
         */
        BUSY
    }

    OriginHandler(DemoOrigin.State origin, Channel channel) {
        this.origin = origin;
        this.channel = channel;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, HttpObject message) {
        if (message instanceof HttpRequest request) {
            receive(ctx, request);
        } else if (message instanceof HttpContent content && exchange != null) {
            receive(content, exchange);
        }
    }

    private void receive(ChannelHandlerContext ctx, HttpRequest request) {
        if (request.decoderResult().isFailure()) {
            refuse(ctx, request, "not HTTP");
            return;
        }
        request.setUri(origin.targets().apply(request.uri()));
        ResponseOptions options;
        try {
            options = ResponseOptions.of(request.uri());
        } catch (IllegalArgumentException e) {
            refuse(ctx, request, String.valueOf(e.getMessage()));
            return;
        }
        OriginExchange next = new OriginExchange(this, origin, new DemoResponse(ctx, request, options), request);
        exchange = next;
        int delay = options.delay() + ThreadLocalRandom.current().nextInt(options.dither() + 1);
        if (delay == 0) {
            next.begin();
        } else {
            pause();
            schedule(delay, () -> {
                next.begin();
                become(Stage.READING);
            });
        }
    }

    private void refuse(ChannelHandlerContext ctx, HttpRequest request, String sentence) {
        exchange = null;
        pause();
        new DemoResponse(ctx, request, ResponseOptions.REFUSED).text(sentence);
    }

    private void receive(HttpContent content, OriginExchange exchange) {
        if (content.decoderResult().isFailure()) {
            channel.close();
            return;
        }
        if (content.content().isReadable()) {
            exchange.onBody(content.content());
        }
        if (content instanceof LastHttpContent) {
            exchange.onEnd();
            if (!exchange.keepsAlive()) {
                pause();
            }
        }
    }

    /** Stops reading requests until {@link #resume}. */
    void pause() {
        become(Stage.BUSY);
    }

    /**
     * Resumes reading requests. The next request is processed after this call has returned. Thousands of requests may
     * already be decoded, and processing them recursively could exhaust the stack.
     */
    void resume() {
        channel.eventLoop().execute(() -> become(Stage.READING));
    }

    /** Runs {@code task} after a delay and flushes its writes, unless the connection closes before the delay ends. */
    void schedule(int millis, Runnable task) {
        Runnable flushed = () -> {
            task.run();
            channel.flush();
        };
        timer = channel.eventLoop().schedule(flushed, millis, TimeUnit.MILLISECONDS);
    }

    private void become(Stage next) {
        stage = next;
        adjustReading();
    }

    private void adjustReading() {
        channel.config().setAutoRead(stage == Stage.READING && channel.isWritable());
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        ctx.flush();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        adjustReading();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (timer != null) {
            timer.cancel(false);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close(); // a client may reset its connection at any time
    }
}
