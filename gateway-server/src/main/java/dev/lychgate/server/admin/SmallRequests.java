package dev.lychgate.server.admin;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import org.jspecify.annotations.Nullable;

/** Puts requests together, and refuses those with a body that no page has a use for. */
final class SmallRequests extends HttpObjectAggregator {
    private static final int LONGEST_BODY = 1024;

    SmallRequests() {
        super(LONGEST_BODY);
    }

    /** Nobody is told to go on who would be refused in the end: that way {@link #handleOversizedMessage} answers. */
    @Override
    protected @Nullable Object newContinueResponse(HttpMessage start, int maxContentLength, ChannelPipeline pipeline) {
        return HttpUtil.getContentLength(start, 0L) > maxContentLength
                ? null
                : super.newContinueResponse(start, maxContentLength, pipeline);
    }

    @Override
    protected void handleOversizedMessage(ChannelHandlerContext ctx, HttpMessage oversized) {
        AdminAnswer answer = AdminAnswer.problem(
                HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, "body-too-large", "no page here takes a body");
        ctx.writeAndFlush(answer.response(false)).addListener(ChannelFutureListener.CLOSE);
    }
}
