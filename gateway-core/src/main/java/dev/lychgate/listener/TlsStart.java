package dev.lychgate.listener;

import dev.lychgate.loop.Deadline;
import dev.lychgate.loop.Loop;
import dev.lychgate.tls.ServerTls;
import dev.lychgate.tls.TlsChannels;
import dev.lychgate.tls.TlsFault;
import dev.lychgate.tls.TlsSession;
import dev.lychgate.tls.UnfinishedRecords;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client connection during its TLS handshake. In the pipeline, three handlers precede this handler. {@link FirstByte}
 * rejects connections without TLS. {@link UnfinishedRecords} accounts for incomplete records. {@link SniChoice} selects
 * the certificate. Failures are counted, and logged at debug level, because clients cause most failures.
 */
final class TlsStart extends ChannelInboundHandlerAdapter implements ClientConnection {
    private static final Logger LOG = LoggerFactory.getLogger(TlsStart.class);

    private final ListenerContext listener;
    final Loop loop;
    private final Channel channel;
    private final ServerTls tls;
    private final BiConsumer<TlsSession, @Nullable String> done;
    private final long beganAt = System.currentTimeMillis();
    private final Deadline deadline = Deadline.of(() -> fail(TlsFault.TIMEOUT, null));
    private boolean over;

    private TlsStart(
            ListenerContext listener,
            Loop loop,
            Channel channel,
            ServerTls tls,
            BiConsumer<TlsSession, @Nullable String> done) {
        this.listener = listener;
        this.loop = loop;
        this.channel = channel;
        this.tls = tls;
        this.done = done;
    }

    /**
     * Starts the handshake on {@code channel}, which has just been accepted.
     *
     * @param done receives the session and the negotiated ALPN protocol, which is null if the client offers none.
     *     Handlers that {@code done} adds to the pipeline receive all data
     */
    static void on(
            ListenerContext listener,
            Loop loop,
            Channel channel,
            ServerTls tls,
            BiConsumer<TlsSession, @Nullable String> done) {
        TlsStart start = new TlsStart(listener, loop, channel, tls, done);
        tls.turnTickets(loop.nanoTime());
        UnfinishedRecords records = UnfinishedRecords.ofClient(channel, loop.memory());
        channel.pipeline().addLast(new FirstByte(start), records, new SniChoice(tls, records), start);
        ClientConnection.put(channel, start);
        loop.deadlines().arm(start.deadline, listener.tlsHandshake);
    }

    /** Closes the connection immediately, because no request has begun. */
    @Override
    public void drain() {
        fail(TlsFault.CLOSED, null);
    }

    @Override
    public void cut() {
        fail(TlsFault.CLOSED, null);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (!(event instanceof SslHandshakeCompletionEvent completion)) {
            return;
        }
        if (!completion.isSuccess()) {
            count(TlsFault.of(completion.cause()), completion.cause());
            // The alert that reports the reason is sent after this event (RFC 8446, 6.2).
            if (channel.isActive()) {
                channel.pipeline().addFirst(new LastAlert(loop));
                channel.eventLoop().execute(this::cutOff);
            }
        } else if (!over) {
            succeed(ctx);
        }
    }

    private void succeed(ChannelHandlerContext ctx) {
        over = true;
        loop.deadlines().remove(deadline);
        SslHandler handler = ctx.pipeline().get(SslHandler.class);
        TlsSession session = TlsChannels.session(handler, tls.asksClients(), beganAt);
        listener.counters.handshakes.succeeded(session);
        RecordOverhead.limit(ctx.pipeline());
        ctx.pipeline().addLast(new Farewell());
        done.accept(session, handler.applicationProtocol());
        ctx.pipeline().remove(this);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!over && !(cause instanceof IOException) && !TlsChannels.isTlsFailure(cause)) {
            LOG.debug("listener {}: TLS handshake failed", listener.config().name(), cause);
        }
        fail(TlsFault.of(cause), cause);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        fail(TlsFault.CLOSED, new ClosedChannelException());
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object early) {
        ReferenceCountUtil.release(early);
    }

    /** Counts the failed handshake and closes the connection. */
    private void fail(TlsFault fault, @Nullable Throwable cause) {
        count(fault, cause);
        cutOff();
    }

    private void cutOff() {
        if (channel.isOpen()) {
            TlsChannels.cut(channel);
        }
    }

    /** Counts a failed handshake, unless it is already counted. The caller closes the connection. */
    void count(TlsFault fault, @Nullable Throwable cause) {
        if (!over) {
            over = true;
            loop.deadlines().remove(deadline);
            listener.counters.handshakes.count(fault);
            LOG.debug(
                    "listener {}: TLS handshake with {} failed: {}",
                    listener.config().name(),
                    channel.remoteAddress(),
                    fault.label(),
                    cause);
        }
    }

    /** Closes the connection when the client's close_notify arrives, in the same way as when a FIN arrives. */
    private static final class Farewell extends ChannelInboundHandlerAdapter {
        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            if (event instanceof SslCloseCompletionEvent completion && completion.isSuccess()) {
                TlsChannels.close(ctx.channel());
            } else {
                ctx.fireUserEventTriggered(event);
            }
        }
    }
}
