package dev.lychgate.listener;

import dev.lychgate.loop.Deadline;
import dev.lychgate.loop.Loop;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ensures that the client receives the alert of a failed handshake. A close with unread input would become a reset,
 * which discards the alert. This handler, which is between TLS and the socket, therefore first closes the output, and
 * then discards input for up to {@link #MOMENT}.
 */
final class LastAlert extends ChannelDuplexHandler {
    private static final long MOMENT = TimeUnit.SECONDS.toNanos(1);

    private final Loop loop;
    private @Nullable ChannelPromise end;
    private @Nullable Deadline limit;

    LastAlert(Loop loop) {
        this.loop = loop;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ReferenceCountUtil.release(message);
    }

    @Override
    public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
        if (end != null) {
            // A repeated close completes when the first close completes.
            ctx.channel().closeFuture().addListener(closed -> promise.trySuccess());
            return;
        }
        end = promise;
        if (ctx.channel() instanceof DuplexChannel duplex && duplex.isActive() && !duplex.isOutputShutdown()) {
            limit = Deadline.of(() -> ctx.close(promise));
            loop.deadlines().arm(limit, MOMENT);
            ctx.flush();
            duplex.shutdownOutput();
            ctx.channel().config().setAutoRead(true);
        } else {
            ctx.close(promise);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (limit != null) {
            loop.deadlines().remove(limit);
        }
        if (end != null) {
            end.trySuccess();
        }
        ctx.fireChannelInactive();
    }
}
