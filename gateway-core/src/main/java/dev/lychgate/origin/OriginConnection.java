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
 * One connection to an origin: carries one exchange at a time, then, if {@link Reuse} allows, another. Lives on the
 * event loop of the exchanges that use it; every method must be called there.
 */
public final class OriginConnection extends ResponseReceiver implements OriginStream, PooledConnection, Holding.Owner {
    private static final Logger LOG = LoggerFactory.getLogger(OriginConnection.class);

    /** What the connection carries. */
    private enum State {
        /** HTTP: exchanges one after the other; {@link Reuse} records how far each has come. */
        OPEN,
        /** The bytes of another protocol, for the exchange that asked for it; see {@link Http1OriginTunnel}. */
        TUNNEL,
        /** Nothing any more. */
        CLOSED;

        /** Whether {@code next} may follow this state. */
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

    /** Puts a new connection together on a channel that has just been connected. */
    public static OriginConnection on(Channel channel, Loop loop, ConnectionOwner owner) {
        return new OriginConnection(loop, channel, owner);
    }

    /** Bodies of responses may be spliced, if they come over plain TCP. To be called before the first read. */
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
            throw new IllegalStateException("a connection that is no tunnel");
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

    /** A tunnel closes in order. */
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

    /** The exchange, or the tunnel's user, is not notified any more; the connection carries no other one. */
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

    // ---- events of the channel

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        unparsed.count(silence.isHeadSeen());
        silence.read();
        onReadComplete();
    }

    /** The memory for unfinished messages is used up, or needed for others. */
    @Override
    public void onReclaim() {
        if (state != State.CLOSED) {
            fail(GatewayError.local(ErrorKind.OVERLOADED, "the memory for unfinished responses is used up"));
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
            // The origin has done nothing wrong.
            fail(GatewayError.local(ErrorKind.OVERLOADED, "no memory is left to take the answer"));
            return;
        }
        if (TlsChannels.isTlsFailure(cause)) {
            LOG.debug("TLS with an origin broke", cause);
        } else if (!(cause instanceof IOException)) {
            LOG.error("a fault of ours on an origin connection, which is closed now", cause);
        } else if (channel.unsafe().outboundBuffer() == null) {
            // The origin reads no more of the request, but its response may be waiting to be read: that, or the end, is
            // the next event.
            return;
        }
        if (reuse.isResponseDone()) {
            ctx.close();
        } else {
            // Reported now: of a body that ends with the connection the decoder would take the close for an ordinary
            // end.
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
        String when = begun ? " within its answer" : " without an answer";
        return GatewayError.upstream(
                ErrorKind.ORIGIN_RESET,
                begun ? Retry.NEVER : Retry.IF_REUSED,
                "the origin " + how + " the connection" + when);
    }

    // ---- silence of the origin

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
