package dev.lychgate.listener;

import dev.lychgate.tls.ServerTls;
import dev.lychgate.tls.Site;
import dev.lychgate.tls.UnfinishedRecords;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.AbstractSniHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Reads the server name in the ClientHello and installs TLS with the matching certificate. This class limits the length
 * of an incomplete ClientHello; {@link TlsStart} limits the time.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc6066#section-3">RFC 6066, 3 Server Name Indication</a>
 */
final class SniChoice extends AbstractSniHandler<Site> {
    /** Maximum length of a ClientHello, in bytes: ten times the length of known ClientHellos with post-quantum keys. */
    private static final int LONGEST_HELLO = 16 << 10;

    private final ServerTls tls;
    private final UnfinishedRecords records;

    /**
     * Creates the handler of one connection.
     *
     * @param records accounts for the buffered bytes of an incomplete ClientHello
     */
    SniChoice(ServerTls tls, UnfinishedRecords records) {
        super(LONGEST_HELLO, 0);
        this.tls = tls;
        this.records = records;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
        super.channelRead(ctx, message);
        boolean complete = ctx.isRemoved() || actualReadableBytes() == 0;
        records.helloBytes(complete ? 0 : internalBuffer().capacity());
    }

    @Override
    protected Future<Site> lookup(ChannelHandlerContext ctx, @Nullable String hostName) {
        return ctx.executor().newSucceededFuture(tls.site(hostName));
    }

    @Override
    protected void onLookupComplete(ChannelHandlerContext ctx, @Nullable String hostName, Future<Site> found) {
        SslHandler handler = found.getNow().newHandler(ctx.alloc());
        boolean taken = false;
        try {
            ctx.pipeline().replace(this, null, handler);
            taken = true;
        } finally {
            if (!taken) {
                // The connection is closed, so the engine has no other owner.
                ReferenceCountUtil.release(handler.engine());
            }
        }
    }
}
