package dev.lychgate.origin;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import java.io.IOException;

/**
 * Stands between TLS and the decoder, and tells a connection that was cut from one that has ended: an answer whose end is
 * that of the connection is whole only if the origin has said so inside TLS.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9112#section-9.8">RFC 9112, 9.8 TLS Connection Closure</a>
 */
final class CutOff extends ChannelInboundHandlerAdapter {
    /** The origin has gone without a farewell. */
    static final class CutException extends IOException {
        private static final long serialVersionUID = 1;

        CutException() {
            super("cut off");
        }
    }

    private boolean said;

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslCloseCompletionEvent completion && completion.isSuccess()) {
            said = true;
            // Whatever it said before has been handed on.
            ctx.channel().close();
        } else {
            ctx.fireUserEventTriggered(event);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (!said) {
            ctx.fireExceptionCaught(new CutException());
        }
        ctx.fireChannelInactive();
    }
}
