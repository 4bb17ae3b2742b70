package dev.lychgate.origin;

import dev.lychgate.codec.DecoderLimits;
import dev.lychgate.codec.Http1Codec;
import dev.lychgate.codec.MessageWriter;
import dev.lychgate.codec.ResponseSink;
import dev.lychgate.codec.ResponseSource;
import dev.lychgate.codec.WebSocketOffer;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Retry;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.loop.Deadline;
import dev.lychgate.loop.Headroom;
import dev.lychgate.loop.Holding;
import dev.lychgate.loop.Loop;
import dev.lychgate.loop.LoopAllocator;
import dev.lychgate.splice.SplicedPiece;
import dev.lychgate.splice.Splicing;
import dev.lychgate.tls.TlsChannels;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to an origin: carries one exchange at a time, then, if {@link Reuse} allows, another. Lives on the
 * event loop of the exchanges that use it; every method must be called there.
 */
public final class OriginConnection extends ChannelInboundHandlerAdapter
        implements ResponseSink, OriginStream, PooledConnection, OriginTunnel, Silence.Awaiting, Holding.Owner {
    private static final Logger LOG = LoggerFactory.getLogger(OriginConnection.class);
    /** How long an origin may take to hear the end of a tunnel. */
    private static final long FAREWELL = TimeUnit.SECONDS.toNanos(2);
    /** What it may still say meanwhile. */
    private static final long FAREWELL_BYTES = 256 * 1024;

    /** What the connection carries. */
    private enum State {
        /** HTTP: exchanges one after the other; {@link Reuse} records how far each has come. */
        OPEN,
        /** The bytes of another protocol, for the exchange that asked for it. */
        TUNNEL,
        /** The rest of a tunnel: our side has ended, and what comes is discarded for a moment. */
        FAREWELL,
        /** Nothing any more. */
        CLOSED;

        /** Whether {@code next} may follow this state. */
        boolean leadsTo(State next) {
            return switch (this) {
                case OPEN -> next == TUNNEL || next == CLOSED;
                case TUNNEL -> next == FAREWELL || next == CLOSED;
                case FAREWELL -> next == CLOSED;
                case CLOSED -> false;
            };
        }
    }

    private final Loop loop;
    private final Channel channel;
    private ConnectionOwner owner;
    private final ResponseSource source;
    private final MessageWriter writer;
    private final Reuse reuse = new Reuse();
    private final Silence silence;
    /** How long a tunnel's last words may take; null as long as none are said. */
    private @Nullable Deadline farewell;

    private final long createdAt;

    /** Null if nothing is ever spliced here. */
    private @Nullable SplicedAnswer spliced;

    private State state = State.OPEN;
    private @Nullable ResponseListener listener;
    /** The origin was asked whether it wants the body, and neither its answer nor the body has come. */
    private boolean awaitsContinue;

    /** What is buffered of a head, or of trailers, that are not complete; none while heads come in one read. */
    private @Nullable Holding unparsed;

    private boolean readingPaused;
    private long unwanted;
    private int requests;
    private long idleSince;
    private long connectNanos;

    private OriginConnection(Loop loop, Channel channel, ConnectionOwner owner) {
        this.loop = loop;
        this.channel = channel;
        this.owner = owner;
        this.silence = new Silence(loop.deadlines(), this);
        this.createdAt = loop.deadlines().now();
        this.idleSince = createdAt;
        if (TlsChannels.isEncrypted(channel)) {
            channel.pipeline().addLast(new CutOff());
        }
        this.source = Http1Codec.readResponses(channel.pipeline(), DecoderLimits.ORIGIN, this);
        channel.pipeline().addLast(this);
        this.writer = Http1Codec.writer(channel.pipeline(), source);
    }

    /** Puts a new connection together on a channel that has just been connected. */
    public static OriginConnection on(Channel channel, Loop loop, ConnectionOwner owner) {
        return new OriginConnection(loop, channel, owner);
    }

    /** Bodies of answers may be spliced, if they come over plain TCP. To be called before anything is read. */
    void maySplice() {
        if (Splicing.isPossible(channel)) {
            spliced = SplicedAnswer.on(channel, source);
        }
    }

    private void become(State next) {
        assert state.leadsTo(next) : state + " to " + next;
        state = next;
    }

    /** How many requests have begun on this connection. */
    @Override
    public int requests() {
        return requests;
    }

    /** When the connection was made, in wheel time (ns). */
    @Override
    public long createdAt() {
        return createdAt;
    }

    /** Since when nobody has used the connection, in wheel time (ns); meaningless while it is lent. */
    @Override
    public long idleSince() {
        return idleSince;
    }

    /** How long it took to open, name resolution included, in nanoseconds. */
    @Override
    public long connectNanos() {
        return connectNanos;
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
    public void connectTook(long nanos) {
        connectNanos = nanos;
    }

    @Override
    public boolean isOpen() {
        return state != State.CLOSED && channel.isActive();
    }

    /**
     * Writes a request head; nothing is sent before {@link #flush()}.
     *
     * @param head the head, already as the origin shall see it
     * @param path what goes into the request line
     * @param to hears of the answer
     * @param silenceLimits how long the origin may be silent
     */
    @Override
    public void send(RequestHead head, String path, ResponseListener to, SilenceLimits silenceLimits) {
        assert loop.inLoop();
        reuse.begin();
        listener = to;
        awaitsContinue = head.headers().contains(HttpHeaderNames.EXPECT);
        requests++;
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
        owner = ConnectionOwner.NOBODY;
        return this;
    }

    @Override
    public boolean endsByHalves() {
        return !TlsChannels.isEncrypted(channel);
    }

    @Override
    public long unsent() {
        ChannelOutboundBuffer out = channel.unsafe().outboundBuffer();
        return out == null ? 0 : out.totalPendingWriteBytes() - out.currentProgress();
    }

    /** Writes a piece of the request body, which belongs to the connection from here on. */
    @Override
    public void sendBody(ByteBuf piece) {
        awaitsContinue = false;
        writer.body(piece);
    }

    /** Writes the end of the request. */
    @Override
    public void sendEnd(HttpHeaders trailers) {
        if (state == State.TUNNEL || state == State.FAREWELL) {
            endOutput();
            return;
        }
        writer.end(trailers);
        reuse.requestEnd();
        silence.heard();
    }

    /** Sends what has been written. */
    @Override
    public void flush() {
        writer.flush();
    }

    /** Whether the connection takes more without queueing beyond its watermark. */
    @Override
    public boolean isWritable() {
        return channel.isWritable();
    }

    /** Stops reading the answer: whoever reads it from us is slower. */
    @Override
    public void pauseReading() {
        if (!readingPaused) {
            readingPaused = true;
            if (spliced != null) {
                spliced.pause(true);
            }
            channel.config().setAutoRead(false);
        }
    }

    /** Goes on reading. */
    @Override
    public void resumeReading() {
        if (readingPaused) {
            readingPaused = false;
            if (spliced != null) {
                spliced.pause(false);
            }
            silence.heard();
            channel.config().setAutoRead(true);
        }
    }

    @Override
    public void splice() {
        if (spliced != null) {
            spliced.begin();
        }
    }

    @Override
    public boolean giveBack(OriginStream stream) {
        listener = null;
        endSplice();
        silence.end();
        boolean reusable = reuse.finish() && isOpen() && !hasUnsentBytes();
        if (reusable) {
            resumeReading();
            idleSince = loop.deadlines().now();
        }
        return reusable;
    }

    /** Closes the connection; its owner hears of it, a listener does not. What a tunnel has still to say it may say. */
    @Override
    public void close() {
        listener = null;
        reuse.spoil();
        if (state == State.TUNNEL && channel.isActive()) {
            leaveTunnel();
        } else if (state != State.FAREWELL) {
            channel.close();
        }
    }

    /** Closes the connection at once, whatever it has still to say. */
    @Override
    public void cut() {
        listener = null;
        reuse.spoil();
        channel.close();
    }

    @Override
    public void reset() {
        if (channel.isActive()) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
        }
        listener = null;
        reuse.spoil();
        TlsChannels.cut(channel);
    }

    /**
     * A plain close could overtake what the other side has not read yet, and would be a reset if it has sent more meanwhile:
     * so it is told that this was the last, inside TLS too where there is TLS, and read on, for a moment.
     */
    private void leaveTunnel() {
        become(State.FAREWELL);
        resumeReading();
        Deadline waiting = new Farewell();
        farewell = waiting;
        loop.deadlines().arm(waiting, FAREWELL);
        endOutput();
    }

    /** Ends our half behind what has been written; the other one is read on. */
    private void endOutput() {
        writer.flush();
        TlsChannels.shutdownOutput(channel, () -> {});
    }

    private void endSplice() {
        if (spliced != null) {
            spliced.end();
        }
    }

    private boolean hasUnsentBytes() {
        ChannelOutboundBuffer out = channel.unsafe().outboundBuffer();
        return out == null || out.totalPendingWriteBytes() > 0;
    }

    // ---- what the decoder reads

    @Override
    public void onResponseHead(ResponseHead head, boolean persistent) {
        ResponseListener to = listener;
        if (to == null) {
            return;
        }
        if (head.isTunnel()) {
            becomeTunnel();
            to.onResponseHead(head);
        } else if (head.isInformational()) {
            awaitsContinue = awaitsContinue && head.status() != 100;
            to.onInformational(head);
        } else {
            reuse.responseHead(persistent);
            silence.onHead();
            to.onResponseHead(head);
        }
    }

    private void becomeTunnel() {
        become(State.TUNNEL);
        reuse.spoil();
        writer.becomeTunnel();
        // Whoever uses it from here on has other limits.
        silence.onHead();
        silence.end();
    }

    @Override
    public void onResponseBody(ByteBuf chunk) {
        handOnSpliced();
        ResponseListener to = listener;
        if (to != null) {
            to.onResponseBody(chunk);
            return;
        }
        unwanted += chunk.readableBytes();
        chunk.release();
        if (state == State.FAREWELL && unwanted > FAREWELL_BYTES) {
            channel.close();
        }
    }

    /** What was spliced in the read under way came before whatever is told of it now. */
    private void handOnSpliced() {
        if (spliced == null) {
            return;
        }
        for (SplicedPiece piece = spliced.next(); piece != null; piece = spliced.next()) {
            ResponseListener to = listener;
            if (to != null) {
                to.onResponseBody(piece);
            } else {
                piece.release();
            }
        }
    }

    @Override
    public void onResponseEnd(HttpHeaders trailers, boolean surplus) {
        reuse.responseEnd(surplus);
        ResponseListener to = listener;
        if (to != null) {
            to.onResponseEnd(trailers);
        }
    }

    @Override
    public void onResponseMalformed(String detail) {
        fail(GatewayError.upstream(ErrorKind.MALFORMED_RESPONSE, Retry.NEVER, detail));
    }

    @Override
    public void onUnsolicitedBytes() {
        // Whatever an origin says unasked (a 408 on an idle connection, an answer too many) must never be taken for
        // the answer to somebody's next request.
        reuse.spoil();
        if (!reuse.isExchanging() || reuse.isResponseDone()) {
            channel.close();
        }
    }

    // ---- what the channel tells

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        handOnSpliced();
        if (unparsed != null || source.buffered() > 0) {
            countUnparsed();
        }
        silence.read();
        ResponseListener to = listener;
        if (to != null) {
            to.onOriginReadComplete();
        }
    }

    private void countUnparsed() {
        // Within a body a chunk's framing is short: only trailers are left.
        int size = silence.isHeadSeen() && source.buffered() <= LoopAllocator.SMALL ? 0 : source.bufferSize();
        Holding holding = unparsed;
        if (holding == null) {
            if (size == 0) {
                return;
            }
            holding = loop.memory().holding(this);
            unparsed = holding;
        }
        if (!holding.hold(size, Holding.Kind.RESPONSE_HEAD)) {
            holding.abort();
        }
    }

    /** Too much is held of unfinished messages, of this origin or all together. */
    @Override
    public void onReclaim() {
        if (state != State.CLOSED) {
            fail(GatewayError.local(ErrorKind.OVERLOADED, "the memory for unfinished responses is used up"));
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        silence.heard();
        ResponseListener to = listener;
        if (to != null && channel.isWritable()) {
            to.onOriginWritable();
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
            // It takes no more of the request, but its answer to what it has seen of it may be waiting to be read:
            // that, or the end, comes next.
            return;
        }
        if (reuse.isResponseDone()) {
            ctx.close();
        } else {
            // Told now: of a body that ends with the connection the decoder would take the close for an ordinary end.
            fail(lost("reset"));
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (state == State.CLOSED) {
            return;
        }
        boolean tunnel = state != State.OPEN;
        become(State.CLOSED);
        endSplice();
        silence.remove();
        Deadline waiting = farewell;
        if (waiting != null) {
            loop.deadlines().remove(waiting);
        }
        writer.release();
        if (unparsed != null) {
            unparsed.release();
        }
        owner.onConnectionClosed(this);
        if (tunnel) {
            endTunnel();
        } else {
            tell(lost("closed"));
        }
    }

    private void endTunnel() {
        ResponseListener to = listener;
        listener = null;
        if (to != null) {
            to.onResponseEnd(EmptyHttpHeaders.INSTANCE);
        }
    }

    private GatewayError lost(String how) {
        boolean begun = silence.isHeadSeen() || source.begun();
        String when = begun ? " within its answer" : " without an answer";
        return GatewayError.upstream(
                ErrorKind.ORIGIN_RESET,
                begun ? Retry.NEVER : Retry.IF_REUSED,
                "the origin " + how + " the connection" + when);
    }

    private void fail(GatewayError error) {
        reuse.spoil();
        ResponseListener to = listener;
        listener = null;
        channel.close();
        if (to != null) {
            to.onOriginFailed(error);
        }
    }

    private void tell(GatewayError error) {
        ResponseListener to = listener;
        listener = null;
        if (to != null && !reuse.isResponseDone()) {
            to.onOriginFailed(error);
        }
    }

    // ---- what the silence asks

    @Override
    public boolean isAwaiting() {
        return state == State.OPEN && listener != null;
    }

    @Override
    public boolean isHeldUpByUs() {
        boolean requestAwaited =
                !reuse.isRequestDone() && !silence.isHeadSeen() && !awaitsContinue && channel.isWritable();
        return readingPaused || requestAwaited;
    }

    @Override
    public void onSilent(GatewayError error) {
        fail(error);
    }

    private final class Farewell extends Deadline {
        @Override
        protected void onDeadline() {
            channel.close();
        }
    }
}
