package dev.lychgate.origin;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import java.io.IOException;

/**
 * Detects TLS connections that end without a close_notify alert. A response on such a connection may be truncated. In
 * the pipeline, this handler follows the TLS handler and precedes the decoder. If the end of the connection marks the
 * end of a response, the response is complete only if a close_notify alert has arrived.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9112#section-9.8">RFC 9112, 9.8 TLS Connection Closure</a>
 */
final class CutOff extends ChannelInboundHandlerAdapter {
    /** The origin closed the connection without a close_notify alert. */
    static final class CutException extends IOException {
        private static final long serialVersionUID = 1;

        CutException() {
            super("the origin closed the TLS connection without a close_notify alert");
        }
    }

    private boolean said;

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslCloseCompletionEvent completion && completion.isSuccess()) {
            said = true;
            // Earlier data has already been passed to the decoder.
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
