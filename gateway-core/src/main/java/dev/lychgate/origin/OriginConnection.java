package dev.lychgate.origin;

import dev.lychgate.codec.DecoderLimits;
import dev.lychgate.codec.MessageWriter;
import dev.lychgate.codec.ResponseReader;
import dev.lychgate.codec.WebSocketOffer;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Retry;
import dev.lychgate.http.RequestHead;
import dev.lychgate.loop.Headroom;
import dev.lychgate.loop.Holding;
import dev.lychgate.loop.Loop;
import dev.lychgate.tls.TlsChannels;
import dev.lychgate.tls.UnfinishedRecords;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HTTP/1.1 connection to an origin. It carries one exchange at a time; {@link Reuse} decides whether it may carry
 * another exchange afterwards. Every method must be called on the event loop of the exchanges.
 */
public final class OriginConnection extends ResponseReceiver implements OriginStream, PooledConnection, Holding.Owner {
    private static final Logger LOG = LoggerFactory.getLogger(OriginConnection.class);

    private enum State {
        /**
         * The connection carries HTTP exchanges one after the other. {@link Reuse} records the progress of each
         * exchange.
         */
        OPEN,
        /**
         * The connection carries bytes of the protocol that an exchange has requested; see {@link Http1OriginTunnel}.
         */
        TUNNEL,
        CLOSED;

        /** Returns whether {@code next} may follow this state. */
        boolean leadsTo(State next) {
            return this == OPEN ? next != OPEN : this == TUNNEL && next == CLOSED;
        }
    }

    private final Loop loop;
    private ConnectionOwner owner;
    private final ResponseReader source;
    private final MessageWriter writer;
    private final ConnectionUse use;
    private final UnparsedResponse unparsed;
    private State state = State.OPEN;

    private OriginConnection(Loop loop, Channel channel, ConnectionOwner owner) {
        super(loop, channel);
        this.loop = loop;
        this.owner = owner;
        this.use = new ConnectionUse(loop.deadlines());
        if (TlsChannels.isEncrypted(channel)) {
            channel.pipeline().addLast(new CutOff());
        }
        this.source = ResponseReader.on(channel.pipeline(), DecoderLimits.ORIGIN, this);
        this.unparsed = new UnparsedResponse(source, loop.memory(), this);
        channel.pipeline().addLast(this);
        this.writer = new MessageWriter(source, channel.pipeline());
    }

    /** Sets up a connection on a newly connected channel. */
    public static OriginConnection on(Channel channel, Loop loop, ConnectionOwner owner) {
        return new OriginConnection(loop, channel, owner);
    }

    /** Permits splicing of response bodies over plain TCP. Call before the first read. */
    void maySplice() {
        reading.maySplice(source);
    }

    private void become(State next) {
        assert state.leadsTo(next) : state + " to " + next;
        state = next;
    }

    @Override
    public ConnectionUse use() {
        return use;
    }

    @Override
    public long connectNanos() {
        return use.connectNanos();
    }

    @Override
    public int exchanges() {
        return reuse.isExchanging() ? 1 : 0;
    }

    @Override
    public OriginStream lend() {
        return this;
    }

    @Override
    public boolean isOpen() {
        return state != State.CLOSED && channel.isActive();
    }

    @Override
    public void send(RequestHead head, String path, ResponseListener to, SilenceLimits silenceLimits) {
        assert loop.inLoop();
        reuse.begin();
        listener = to;
        awaitsContinue = head.headers().contains(HttpHeaderNames.EXPECT);
        use.onRequest();
        if (head.protocol() == null) {
            source.expect(head.method().equals(HttpMethod.HEAD));
            writer.request(head, path);
        } else {
            askForTunnel(head, path);
        }
        silence.begin(silenceLimits);
    }

    private void askForTunnel(RequestHead head, String path) {
        WebSocketOffer offer =
                new WebSocketOffer(head, loop.random().nextLong(), loop.random().nextLong());
        source.expectTunnel(offer);
        writer.request(head, path, offer);
    }

    @Override
    public OriginTunnel keep(OriginStream stream, Runnable ended) {
        Http1OriginTunnel kept = tunnel;
        if (kept == null) {
            throw new IllegalStateException("the connection is not a tunnel");
        }
        owner = ConnectionOwner.NOBODY;
        return kept;
    }

    @Override
    public void sendBody(ByteBuf chunk) {
        awaitsContinue = false;
        writer.body(chunk);
    }

    @Override
    public void sendEnd(HttpHeaders trailers) {
        Http1OriginTunnel open = tunnel;
        if (state == State.TUNNEL && open != null) {
            open.endOutput();
            return;
        }
        writer.end(trailers);
        reuse.requestEnd();
        silence.heard();
    }

    @Override
    public void flush() {
        writer.flush();
    }

    @Override
    public boolean isWritable() {
        return channel.isWritable();
    }

    @Override
    public void pauseReading() {
        reading.pause();
    }

    @Override
    public void resumeReading() {
        if (reading.isPaused()) {
            silence.heard();
            reading.resume();
        }
    }

    @Override
    public void splice() {
        reading.splice();
    }

    @Override
    public boolean giveBack(OriginStream stream) {
        listener = null;
        reading.endSplice();
        silence.end();
        boolean reusable = reuse.finish() && isOpen() && !hasUnsentBytes();
        if (reusable) {
            resumeReading();
            use.onIdle();
        }
        return reusable;
    }

    /**
     * Closes the connection immediately. If the connection is a tunnel, sends its pending bytes first; see
     * {@link OriginTunnel#close}.
     */
    @Override
    public void close() {
        Http1OriginTunnel open = tunnel;
        if (open != null) {
            open.close();
        } else {
            forget();
            channel.close();
        }
    }

    /** Stops notifications to the exchange or to the user of the tunnel, and prevents reuse of the connection. */
    private void forget() {
        listener = null;
        reuse.spoil();
    }

    private boolean hasUnsentBytes() {
        ChannelOutboundBuffer out = channel.unsafe().outboundBuffer();
        return out == null || out.totalPendingWriteBytes() > 0;
    }

    @Override
    Http1OriginTunnel becomeTunnel() {
        become(State.TUNNEL);
        writer.becomeTunnel();
        return new Http1OriginTunnel(channel, loop.deadlines(), writer, reading, this::forget);
    }

    // ---- channel events

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        unparsed.count(silence.isHeadSeen());
        silence.read();
        onReadComplete();
    }

    /** Fails the exchange, because the memory for unfinished messages is used up or was reclaimed. */
    @Override
    public void onReclaim() {
        if (state != State.CLOSED) {
            fail(GatewayError.local(ErrorKind.OVERLOADED, "the memory budget for unfinished responses is exhausted"));
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == UnfinishedRecords.RECLAIMED) {
            onReclaim();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        silence.heard();
        if (channel.isWritable()) {
            onWritable();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof CutOff.CutException) {
            if (!reuse.isResponseDone()) {
                fail(lost("cut"));
            }
            return;
        }
        if (Headroom.isRefusal(cause, LOG)) {
            // A lack of memory is not an error of the origin.
            fail(GatewayError.local(ErrorKind.OVERLOADED, "no memory is left to read the response"));
            return;
        }
        if (TlsChannels.isTlsFailure(cause)) {
            LOG.debug("TLS failed on an origin connection, which is closed", cause);
        } else if (!(cause instanceof IOException)) {
            LOG.error(
                    "internal error of the gateway on an origin connection; the connection is closed and its exchange fails",
                    cause);
        } else if (channel.unsafe().outboundBuffer() == null) {
            // The origin has stopped reading the request, but its response may still be readable. The next event is
            // that response or the end of the connection.
            return;
        }
        if (reuse.isResponseDone()) {
            ctx.close();
        } else {
            // The failure is reported before the close, because the decoder would interpret a close as the regular end
            // of a body without a length.
            fail(lost("reset"));
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (state == State.CLOSED) {
            return;
        }
        become(State.CLOSED);
        reading.endSplice();
        silence.remove();
        writer.release();
        unparsed.release();
        owner.onConnectionClosed(this);
        Http1OriginTunnel open = tunnel;
        if (open != null) {
            open.stop();
        }
        onClosed(lost("closed"));
    }

    private GatewayError lost(String how) {
        boolean begun = silence.isHeadSeen() || source.begun();
        String when = begun ? " before the end of its response" : " without a response";
        return GatewayError.upstream(
                ErrorKind.ORIGIN_RESET,
                begun ? Retry.NEVER : Retry.IF_REUSED,
                "the origin " + how + " the connection" + when);
    }

    // ---- response timeouts

    @Override
    public boolean isAwaiting() {
        return state == State.OPEN && listener != null;
    }

    @Override
    public boolean isHeldUpByUs() {
        boolean requestAwaited =
                !reuse.isRequestDone() && !silence.isHeadSeen() && !awaitsContinue && channel.isWritable();
        return reading.isPaused() || requestAwaited;
    }

    @Override
    public void onSilent(GatewayError error) {
        fail(error);
    }
}
