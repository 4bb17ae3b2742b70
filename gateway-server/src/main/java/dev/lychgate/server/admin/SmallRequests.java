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
 * Assembles requests without their bodies. Rejects messages that are not HTTP, and requests with a large body, because
 * no page needs a body. A rejection is passed to the next handler and not written directly. Otherwise, it would
 * overtake the responses to earlier requests.
 */
final class SmallRequests extends SimpleChannelInboundHandler<HttpObject> {
    /** A message on a connection. */
    sealed interface Incoming {
        /**
         * A complete request, without its body.
         *
         * @param keepAlive whether another request may follow on the connection
         */
        record Request(HttpRequest head, boolean keepAlive) implements Incoming {}

        /**
         * A rejected message. The gateway reads no further messages of the connection.
         *
         * @param answer the response to the message
         */
        record Refused(AdminResponse answer) implements Incoming {}
    }

    private static final int LONGEST_BODY = 1024;

    private enum State {
        HEAD,
        BODY,
        /** Ignores all input, because after a rejected message the start of the next request is ambiguous. */
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
            refuse(ctx, AdminResponse.malformed("the request is not HTTP, or its head is too large"));
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
            // No 100 Continue is sent, because no page needs the body and a final response alone is also valid.
            state = State.DEAF;
            ctx.fireChannelRead(new Incoming.Request(request, false));
        } else if (expected != null && !expected.equalsIgnoreCase("100-continue")) {
            refuse(
                    ctx,
                    AdminResponse.problem(
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

    private void refuse(ChannelHandlerContext ctx, AdminResponse answer) {
        state = State.DEAF;
        head = null;
        ctx.fireChannelRead(new Incoming.Refused(answer));
    }

    private static AdminResponse tooLarge() {
        return AdminResponse.problem(
                HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, "body-too-large", "no page accepts a body");
    }
}
