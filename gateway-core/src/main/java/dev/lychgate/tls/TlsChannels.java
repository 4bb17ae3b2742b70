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
 * Closes connections with or without TLS. With TLS, a regular close sends close_notify. An abort must not send
 * close_notify, because this alert could make an incomplete message appear complete to the peer. Used on the channel's
 * event loop.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9112#section-9.8">RFC 9112, 9.8 TLS Connection Closure</a>
 */
public final class TlsChannels {
    private TlsChannels() {}

    /** Returns whether {@code channel} uses TLS. */
    public static boolean isEncrypted(Channel channel) {
        return channel.pipeline().get(SslHandler.class) != null;
    }

    /**
     * Closes the channel regularly. While bytes are pending, closes it without close_notify, which would have to wait
     * until the peer reads these bytes.
     */
    public static void close(Channel channel) {
        ChannelOutboundBuffer out = channel.unsafe().outboundBuffer();
        if (out != null && out.totalPendingWriteBytes() > 0) {
            cut(channel);
        } else {
            channel.close();
        }
    }

    /** Aborts the channel: closes it without close_notify. */
    public static void cut(Channel channel) {
        ChannelHandlerContext tls = channel.pipeline().context(SslHandler.class);
        if (tls == null) {
            channel.close();
        } else {
            // The close begins at the position of the TLS handler and bypasses this handler, which would send
            // close_notify.
            tls.close();
        }
    }

    /**
     * Ends the output after all pending writes, with or without TLS. The channel stays open for input, because closing
     * a channel with unread input would reset the connection. If a channel can't close its output separately, the whole
     * channel is closed.
     *
     * @param then called after the output has ended; not called if the channel has been closed
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

    /**
     * Ends the output. With TLS, discards all input from now on, because not every TLS engine can read after the end of
     * its output.
     */
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

    /**
     * Returns whether {@code failure} is a TLS failure. The peer causes TLS failures; any other failure may be a bug of
     * the gateway.
     */
    public static boolean isTlsFailure(Throwable failure) {
        return failure instanceof SSLException || failure.getCause() instanceof SSLException;
    }

    /**
     * Returns the result of a completed handshake.
     *
     * @param beganAt the start time of the handshake, in milliseconds since 1970-01-01T00:00:00Z
     */
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

    @SuppressWarnings("deprecation") // no other API reports it
    private static boolean isResumed(SslHandler handler, SSLSession session, long beganAt) {
        if (handler.engine() instanceof ReferenceCountedOpenSslEngine engine) {
            return SSL.isSessionReused(engine.sslPointer());
        }
        // The JDK does not report whether a session was resumed, but a resumed session was created before the
        // handshake.
        return session.getCreationTime() < beganAt;
    }
}
