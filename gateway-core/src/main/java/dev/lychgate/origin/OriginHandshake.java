package dev.lychgate.origin;

import static java.util.Objects.requireNonNull;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Retry;
import dev.lychgate.error.Side;
import dev.lychgate.loop.Headroom;
import dev.lychgate.loop.Loop;
import dev.lychgate.tls.OriginTls;
import dev.lychgate.tls.TlsChannels;
import dev.lychgate.tls.TlsFault;
import dev.lychgate.tls.UnfinishedRecords;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports the outcome of the TLS handshake with an origin, exactly one time. */
final class OriginHandshake extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(OriginHandshake.class);

    /** Receives the outcome of the handshake. */
    interface Ending {
        /**
         * Reports success. Handlers that are added to the pipeline during this call receive all data.
         *
         * @param protocol the negotiated ALPN protocol; null if none was negotiated
         */
        void onHandshake(@Nullable String protocol);

        void onHandshakeFailed(GatewayError error);
    }

    private final Ending ending;
    private boolean over;

    private OriginHandshake(Ending ending) {
        this.ending = ending;
    }

    /** Prepares the handshake on {@code channel}, which is not connected yet. */
    static void prepare(Channel channel, Loop loop, Destination to, Ending ending) {
        OriginTls tls = requireNonNull(to.tls());
        channel.pipeline()
                .addLast(UnfinishedRecords.ofOrigin(channel, loop.memory()))
                .addLast(tls.newHandler(channel.alloc(), to.name(), to.address().port()))
                .addLast(new OriginHandshake(ending));
    }

    /** Describes a failed handshake in fixed words, which contain no text from the origin. */
    private static String detail(TlsFault fault) {
        return switch (fault) {
            case EXPIRED -> "the origin's certificate has expired";
            case NOT_YET_VALID -> "the origin's certificate is not valid yet";
            case WRONG_HOST -> "the origin's certificate has no subjectAltName for its host";
            case UNTRUSTED -> "the origin's certificate is not trusted";
            case GARBAGE, PLAINTEXT -> "the origin does not use TLS";
            case CLOSED -> "the origin closed the connection during the TLS handshake";
            case NOTHING_IN_COMMON -> "the origin and the gateway have no TLS version or cipher suite in common";
            case REFUSED, NO_CERTIFICATE -> "the origin refused the TLS handshake";
            case TIMEOUT, OTHER -> "the TLS handshake with the origin failed";
        };
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == UnfinishedRecords.RECLAIMED) {
            lackMemory();
        }
        if (!(event instanceof SslHandshakeCompletionEvent completion)) {
            return;
        }
        if (completion.isSuccess()) {
            if (!over) {
                over = true;
                ending.onHandshake(ctx.pipeline().get(SslHandler.class).applicationProtocol());
                ctx.pipeline().remove(this);
            }
        } else {
            fail(ctx, completion.cause());
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (Headroom.isRefusal(cause, LOG)) {
            lackMemory();
        }
        fail(ctx, cause);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        fail(ctx, new ClosedChannelException());
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object early) {
        ReferenceCountUtil.release(early);
    }

    private void lackMemory() {
        if (!over) {
            over = true;
            ending.onHandshakeFailed(GatewayError.local(
                    ErrorKind.OVERLOADED, "no memory is left for the TLS handshake with the origin"));
        }
    }

    private void fail(ChannelHandlerContext ctx, Throwable cause) {
        if (!over) {
            over = true;
            ending.onHandshakeFailed(new GatewayError(
                    ErrorKind.TLS_FAILED, Side.UPSTREAM, Retry.UNPROCESSED, detail(TlsFault.of(cause)), cause));
        }
        if (ctx.channel().isOpen()) {
            TlsChannels.cut(ctx.channel());
        }
    }
}
