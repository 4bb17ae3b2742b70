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
 * Stands between TLS and the socket when a handshake has failed, and lets the client hear why: what it has sent meanwhile would
 * turn a close into a reset, which takes the alert along. So our half is ended, and the rest is read and thrown away for a
 * moment.
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
            // Whoever closes once more waits for the same end.
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
