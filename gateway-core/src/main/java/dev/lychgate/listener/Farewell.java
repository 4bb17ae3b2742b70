package dev.lychgate.listener;

import dev.lychgate.tls.TlsChannels;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslCloseCompletionEvent;

/** Closes a connection whose client has said inside TLS that it will send nothing more: it is gone, as after a FIN. */
final class Farewell extends ChannelInboundHandlerAdapter {
    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslCloseCompletionEvent completion && completion.isSuccess()) {
            TlsChannels.close(ctx.channel());
        } else {
            ctx.fireUserEventTriggered(event);
        }
    }
}
