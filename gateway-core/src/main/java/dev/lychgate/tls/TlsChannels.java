package dev.lychgate.tls;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.handler.ssl.SslHandler;
import io.netty.internal.tcnative.SSL;
import io.netty.util.ReferenceCountUtil;
import java.security.cert.X509Certificate;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * The ends of connections that may speak TLS. Whoever closes in order says so inside TLS (close_notify); whoever cuts must
 * not, for that is how the other side knows the one from the other. All on the channel's event loop.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9112#section-9.8">RFC 9112, 9.8 TLS Connection Closure</a>
 */
public final class TlsChannels {
    private TlsChannels() {}

    /** Whether TLS is spoken on {@code channel}. */
    public static boolean isEncrypted(Channel channel) {
        return channel.pipeline().get(SslHandler.class) != null;
    }

    /**
     * Closes in order. Where bytes still wait to be sent the farewell would wait behind them, for as long as the other side
     * likes, and none is said.
     */
    public static void close(Channel channel) {
        ChannelOutboundBuffer out = channel.unsafe().outboundBuffer();
        if (out != null && out.totalPendingWriteBytes() > 0) {
            cut(channel);
        } else {
            channel.close();
        }
    }

    /** Closes without a farewell. */
    public static void cut(Channel channel) {
        ChannelHandlerContext tls = channel.pipeline().context(SslHandler.class);
        if (tls == null) {
            channel.close();
        } else {
            // From here on towards the socket: past the handler that would say it.
            tls.close();
        }
    }

    /**
     * Ends our side of the connection behind all that was written, inside TLS too. The channel stays open for input, because
     * a close with unread input would be a reset. If our side can't be closed alone, the whole channel is.
     *
     * @param then called when our side has ended and the channel is still open
     */
    public static void shutdownOutput(Channel channel, Runnable then) {
        endOutput(channel).addListener(written -> {
            if (written.isSuccess() && channel instanceof DuplexChannel duplex) {
                duplex.shutdownOutput();
                then.run();
            } else {
                channel.close();
            }
        });
    }

    /** Where there is TLS, input is discarded from here on: not every engine reads on once it has closed its own side. */
    private static ChannelFuture endOutput(Channel channel) {
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        if (tls == null) {
            return channel.writeAndFlush(Unpooled.EMPTY_BUFFER);
        }
        channel.pipeline().addFirst(new Discard());
        return tls.closeOutbound();
    }

    private static final class Discard extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ReferenceCountUtil.release(message);
        }
    }

    /** Whether {@code failure} is of TLS: the other side's doing, not a fault of ours. */
    public static boolean isTlsFailure(Throwable failure) {
        return failure instanceof SSLException || failure.getCause() instanceof SSLException;
    }

    /** What the handshake came to, which must be over. @param beganAt when it began, in milliseconds since 1970 */
    public static TlsSession session(SslHandler handler, boolean asksClients, long beganAt) {
        SSLSession session = handler.engine().getSession();
        return new TlsSession(
                session.getProtocol(),
                session.getCipherSuite(),
                serverName(session),
                isResumed(handler, session, beganAt),
                asksClients ? clientCertificate(session) : null);
    }

    private static @Nullable String serverName(SSLSession session) {
        if (session instanceof ExtendedSSLSession extended) {
            for (SNIServerName name : extended.getRequestedServerNames()) {
                if (name instanceof SNIHostName host) {
                    return host.getAsciiName().toLowerCase(java.util.Locale.ROOT);
                }
            }
        }
        return null;
    }

    private static @Nullable ClientCertificate clientCertificate(SSLSession session) {
        try {
            return ClientCertificate.of((X509Certificate) session.getPeerCertificates()[0]);
        } catch (SSLPeerUnverifiedException e) {
            return null;
        }
    }

    @SuppressWarnings("deprecation") // the only way to learn it
    private static boolean isResumed(SslHandler handler, SSLSession session, long beganAt) {
        if (handler.engine() instanceof ReferenceCountedOpenSslEngine engine) {
            return SSL.isSessionReused(engine.sslPointer());
        }
        // The JDK says it nowhere, but a session that goes on was made before.
        return session.getCreationTime() < beganAt;
    }
}
