package dev.lychgate.redis;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection whose server has not responded for {@value #SECONDS} seconds, so that the next connection may
 * reach another server. Runs on the thread of the extension.
 */
final class StalledConnection extends ChannelDuplexHandler {
    static final int SECONDS = 3;

    private @Nullable ScheduledFuture<?> end;

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        if (end == null) {
            end = ctx.executor().schedule(() -> ctx.close(), SECONDS, TimeUnit.SECONDS);
        }
        ctx.write(message, promise);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        cancel();
        ctx.fireChannelRead(message);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        cancel();
        ctx.fireChannelInactive();
    }

    private void cancel() {
        if (end != null) {
            end.cancel(false);
            end = null;
        }
    }
}
