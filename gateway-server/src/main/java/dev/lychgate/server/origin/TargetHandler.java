package dev.lychgate.server.origin;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpRequest;
import java.util.function.UnaryOperator;

/** Replaces the target of each request before {@link OriginHandler} reads it. */
final class TargetHandler extends ChannelInboundHandlerAdapter {
    private final UnaryOperator<String> targets;

    TargetHandler(UnaryOperator<String> targets) {
        this.targets = targets;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
        if (msg instanceof HttpRequest request) {
            request.setUri(targets.apply(request.uri()));
        }
        ctx.fireChannelRead(msg);
    }
}
