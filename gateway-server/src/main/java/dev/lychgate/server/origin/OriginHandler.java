package dev.lychgate.server.origin;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.util.ArrayDeque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One connection. Requests have their turns one after the other: what comes in beyond the present request is held back,
 * and beyond {@link #MOST_HELD} parts, or while the client does not take what it is sent, nothing more is read.
 */
final class OriginHandler extends ChannelInboundHandlerAdapter {
    private static final int MOST_HELD = 64;

    private final Desk desk;
    private final ArrayDeque<Object> held = new ArrayDeque<>();
    private State state = State.IDLE;
    private @Nullable Answer answer;
    private boolean counts;
    private @Nullable Future<?> waiting;
    private boolean paused;

    private enum State {
        /** The next part is a request's head. */
        IDLE,
        /** A request waits for its delay to pass; all parts are held. */
        WAITING,
        /** A request's body comes in. */
        READING,
        /** A request is read whole and its answer is being written; all parts are held. */
        ANSWERING,
        /** The connection closes; all parts are dropped. */
        CLOSING
    }

    OriginHandler(Desk desk) {
        this.desk = desk;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
        if (!held.isEmpty() || state == State.WAITING || state == State.ANSWERING) {
            held.add(msg);
            adjustReading(ctx);
        } else {
            take(ctx, msg);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        ctx.flush();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        adjustReading(ctx);
        if (answer != null && ctx.channel().isWritable()) {
            answer.onWritable();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        state = State.CLOSING;
        if (waiting != null) {
            waiting.cancel(false);
        }
        if (answer != null) {
            answer.onGone();
        }
        held.forEach(ReferenceCountUtil::release);
        held.clear();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        var unused = ctx.close(); // resets by clients are their business
    }

    private void take(ChannelHandlerContext ctx, Object msg) {
        if (state == State.CLOSING) {
            ReferenceCountUtil.release(msg);
        } else if (msg instanceof HttpRequest request) {
            begin(ctx, request);
        } else if (msg instanceof HttpContent content) {
            read(ctx, content);
        } else {
            ReferenceCountUtil.release(msg);
        }
    }

    private void begin(ChannelHandlerContext ctx, HttpRequest request) {
        if (request.decoderResult().isFailure()) {
            refuse(ctx, request, "not HTTP");
            return;
        }
        Ask ask;
        try {
            ask = Ask.of(request.uri());
        } catch (IllegalArgumentException e) {
            refuse(ctx, request, String.valueOf(e.getMessage()));
            return;
        }
        Turn turn = new Turn(ctx, request, ask, keepAlive -> finished(ctx, keepAlive));
        int wait = ask.delay() + ThreadLocalRandom.current().nextInt(ask.dither() + 1);
        if (wait == 0) {
            start(request, turn);
            return;
        }
        state = State.WAITING;
        waiting = ctx.executor()
                .schedule(
                        () -> {
                            start(request, turn);
                            goOn(ctx);
                            ctx.flush();
                        },
                        wait,
                        TimeUnit.MILLISECONDS);
    }

    private void start(HttpRequest request, Turn turn) {
        state = State.READING;
        turn.goOnIfAsked(request);
        counts = !turn.ask.path().equals("/count");
        answer = Answers.to(request, turn, desk);
    }

    private void read(ChannelHandlerContext ctx, HttpContent content) {
        Answer reader = answer;
        if (reader == null || content.decoderResult().isFailure()) {
            content.release();
            state = State.CLOSING;
            var unused = ctx.close();
            return;
        }
        ByteBuf part = content.content();
        boolean last = content instanceof LastHttpContent;
        if (part.isReadable()) {
            reader.onBody(part); // takes over the content's own reference
        } else {
            content.release();
        }
        if (last) {
            state = State.ANSWERING;
            if (counts) {
                desk.count();
            }
            reader.onEnd();
        }
    }

    private void finished(ChannelHandlerContext ctx, boolean keepAlive) {
        answer = null;
        if (!keepAlive) {
            state = State.CLOSING;
            goOn(ctx); // drops what is held
        } else if (state == State.ANSWERING) {
            state = State.IDLE;
            if (!held.isEmpty()) {
                // Not from here: a thousand pipelined requests would be a thousand frames deep.
                ctx.executor().execute(() -> {
                    goOn(ctx);
                    ctx.flush();
                });
            }
        }
    }

    private void goOn(ChannelHandlerContext ctx) {
        while (!held.isEmpty() && state != State.WAITING && state != State.ANSWERING) {
            take(ctx, held.poll());
        }
        adjustReading(ctx);
    }

    private void refuse(ChannelHandlerContext ctx, HttpRequest request, String sentence) {
        Turn turn = new Turn(ctx, request, Ask.refused(), keepAlive -> {});
        state = State.CLOSING;
        Answers.refuse(turn, sentence);
    }

    private void adjustReading(ChannelHandlerContext ctx) {
        boolean pause = held.size() > MOST_HELD || !ctx.channel().isWritable();
        if (pause != paused) {
            paused = pause;
            ctx.channel().config().setAutoRead(!pause);
        }
    }
}
