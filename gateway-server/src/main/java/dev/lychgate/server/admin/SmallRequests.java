package dev.lychgate.server.admin;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import org.jspecify.annotations.Nullable;

/**
 * Assembles requests without their bodies. It rejects requests that are not HTTP or have a body that no page needs. It passes
 * rejections on instead of writing them: a direct response would overtake the responses to earlier requests.
 */
final class SmallRequests extends SimpleChannelInboundHandler<HttpObject> {
    /** A message on a connection. */
    sealed interface Incoming {
        /**
         * A complete request; its body, if any, has been discarded.
         *
         * @param keepAlive whether another one may follow it
         */
        record Request(HttpRequest head, boolean keepAlive) implements Incoming {}

        /** A rejected message, which ends reading from the connection. @param answer the response to the message */
        record Refused(AdminAnswer answer) implements Incoming {}
    }

    private static final int LONGEST_BODY = 1024;

    private enum State {
        HEAD,
        BODY,
        /** Ignores all input: after a rejected message, the start of the next request is ambiguous. */
        DEAF
    }

    private State state = State.HEAD;
    private long body;
    private @Nullable HttpRequest head;

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, HttpObject part) {
        if (state == State.DEAF) {
            return;
        }
        if (part.decoderResult().isFailure()) {
            refuse(ctx, AdminAnswer.malformed("the request is not HTTP, or its head is too large"));
            return;
        }
        if (part instanceof HttpRequest request) {
            begin(ctx, request);
        }
        if (state == State.BODY && part instanceof HttpContent content) {
            more(ctx, content);
        }
    }

    private void begin(ChannelHandlerContext ctx, HttpRequest request) {
        String expected = request.headers().get(HttpHeaderNames.EXPECT);
        if (HttpUtil.getContentLength(request, 0L) > LONGEST_BODY) {
            refuse(ctx, tooLarge());
        } else if (HttpUtil.is100ContinueExpected(request)) {
            // An immediate final response is valid here, too, and the body is not needed.
            state = State.DEAF;
            ctx.fireChannelRead(new Incoming.Request(request, false));
        } else if (expected != null && !expected.equalsIgnoreCase("100-continue")) {
            refuse(
                    ctx,
                    AdminAnswer.problem(
                            HttpResponseStatus.EXPECTATION_FAILED,
                            "expectation-failed",
                            "the only supported expectation is 100-continue"));
        } else {
            state = State.BODY;
            head = request;
            body = 0;
        }
    }

    private void more(ChannelHandlerContext ctx, HttpContent content) {
        body += content.content().readableBytes();
        HttpRequest request = head;
        if (body > LONGEST_BODY) {
            refuse(ctx, tooLarge());
        } else if (content instanceof LastHttpContent && request != null) {
            state = State.HEAD;
            head = null;
            ctx.fireChannelRead(new Incoming.Request(request, HttpUtil.isKeepAlive(request)));
        }
    }

    private void refuse(ChannelHandlerContext ctx, AdminAnswer answer) {
        state = State.DEAF;
        head = null;
        ctx.fireChannelRead(new Incoming.Refused(answer));
    }

    private static AdminAnswer tooLarge() {
        return AdminAnswer.problem(
                HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, "body-too-large", "no page accepts a body");
    }
}
