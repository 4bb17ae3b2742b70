package dev.lychgate.origin;

import dev.lychgate.codec.DecoderLimits;
import dev.lychgate.codec.Http1Codec;
import dev.lychgate.codec.MessageWriter;
import dev.lychgate.codec.ResponseSink;
import dev.lychgate.codec.ResponseSource;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Retry;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.loop.Deadline;
import dev.lychgate.loop.Loop;
import dev.lychgate.tls.TlsChannels;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to an origin: carries one exchange at a time, then, if {@link Reuse} allows, another. Lives on the
 * event loop of the exchanges that use it; every method must be called there.
 */
public final class OriginConnection extends ChannelInboundHandlerAdapter implements ResponseSink {
    private static final Logger LOG = LoggerFactory.getLogger(OriginConnection.class);

    private final Loop loop;
    private final Channel channel;
    private final ConnectionOwner owner;
    private final ResponseSource source;
    private final MessageWriter writer;
    private final Reuse reuse = new Reuse();
    private final Silence silence = new Silence();
    private final long createdAt;

    private @Nullable ResponseListener listener;
    private SilenceLimits limits = new SilenceLimits(0, 0);
    private long lastActivity;
    private boolean headSeen;
    /** The origin was asked whether it wants the body, and neither its answer nor the body has come. */
    private boolean awaitsContinue;

    private boolean readingPaused;
    private boolean closed;
    private int requests;
    private long idleSince;
    private long connectNanos;

    private OriginConnection(Loop loop, Channel channel, ConnectionOwner owner) {
        this.loop = loop;
        this.channel = channel;
        this.owner = owner;
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

    /** How many requests have begun on this connection. */
    public int requests() {
        return requests;
    }

    /** When the connection was made, in wheel time (ns). */
    public long createdAt() {
        return createdAt;
    }

    /** Since when nobody has used the connection, in wheel time (ns); meaningless while it is lent. */
    public long idleSince() {
        return idleSince;
    }

    /** How long it took to open, name resolution included, in nanoseconds. */
    public long connectNanos() {
        return connectNanos;
    }

    void connectTook(long nanos) {
        connectNanos = nanos;
    }

    public boolean isOpen() {
        return !closed && channel.isActive();
    }

    /**
     * Writes a request head; nothing is sent before {@link #flush()}.
     *
     * @param head the head, already as the origin shall see it
     * @param path what goes into the request line
     * @param to hears of the answer
     * @param silenceLimits how long the origin may be silent
     */
    public void send(RequestHead head, String path, ResponseListener to, SilenceLimits silenceLimits) {
        assert loop.inLoop();
        reuse.begin();
        listener = to;
        limits = silenceLimits;
        headSeen = false;
        awaitsContinue = head.headers().contains(HttpHeaderNames.EXPECT);
        requests++;
        lastActivity = loop.deadlines().now();
        source.expect(head.method().equals(HttpMethod.HEAD));
        writer.request(head, path);
        loop.deadlines().arm(silence, limits.responseHead());
    }

    /** Writes a piece of the request body, which belongs to the connection from here on. */
    public void sendBody(ByteBuf piece) {
        awaitsContinue = false;
        writer.body(piece);
    }

    /** Writes the end of the request. */
    public void sendEnd(HttpHeaders trailers) {
        writer.end(trailers);
        reuse.requestEnd();
        lastActivity = loop.deadlines().now();
    }

    /** Sends what has been written. */
    public void flush() {
        writer.flush();
    }

    /** Whether the connection takes more without queueing beyond its watermark. */
    public boolean isWritable() {
        return channel.isWritable();
    }

    /** Stops reading the answer: whoever reads it from us is slower. */
    public void pauseReading() {
        if (!readingPaused) {
            readingPaused = true;
            channel.config().setAutoRead(false);
        }
    }

    /** Goes on reading. */
    public void resumeReading() {
        if (readingPaused) {
            readingPaused = false;
            lastActivity = loop.deadlines().now();
            channel.config().setAutoRead(true);
        }
    }

    /**
     * Ends the exchange. @return whether the connection may carry another one; if not, the caller closes it
     */
    public boolean finish() {
        listener = null;
        loop.deadlines().disarm(silence);
        boolean reusable = reuse.finish() && isOpen() && !hasUnsentBytes();
        if (reusable) {
            resumeReading();
            idleSince = loop.deadlines().now();
        }
        return reusable;
    }

    /** Closes the connection; its owner hears of it, a listener does not. */
    public void close() {
        listener = null;
        reuse.spoil();
        channel.close();
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
        if (head.status() == 101) {
            // Nobody asked: Upgrade is never sent on by this connection.
            onResponseMalformed("101 without having been asked to switch protocols");
        } else if (head.isInformational()) {
            awaitsContinue = awaitsContinue && head.status() != 100;
            to.onInformational(head);
        } else {
            headSeen = true;
            lastActivity = loop.deadlines().now();
            reuse.responseHead(persistent);
            if (limits.responseBody() < limits.responseHead()) {
                loop.deadlines().arm(silence, limits.responseBody());
            }
            to.onResponseHead(head);
        }
    }

    @Override
    public void onResponseBody(ByteBuf chunk) {
        ResponseListener to = listener;
        if (to == null) {
            chunk.release();
        } else {
            to.onResponseBody(chunk);
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
        if (headSeen) {
            // Before the head nothing counts but the head: neither a byte of it now and then, nor interim answers.
            lastActivity = loop.deadlines().now();
        }
        ResponseListener to = listener;
        if (to != null) {
            to.onOriginReadComplete();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        lastActivity = loop.deadlines().now();
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
        if (closed) {
            return;
        }
        closed = true;
        loop.deadlines().remove(silence);
        writer.release();
        owner.onConnectionClosed(this);
        tell(lost("closed"));
    }

    private GatewayError lost(String how) {
        boolean begun = headSeen || source.begun();
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

    /**
     * Watches for an origin that is silent for too long. Kept hanging in the wheel while requests come and go; it looks
     * at what is awaited when its time has come, and hangs itself further on if it was not the origin who kept us
     * waiting.
     */
    private final class Silence extends Deadline {
        @Override
        protected void onDeadline() {
            if (listener == null) {
                return;
            }
            long limit = headSeen ? limits.responseBody() : limits.responseHead();
            long now = loop.deadlines().now();
            boolean requestAwaited = !reuse.isRequestDone() && !headSeen && !awaitsContinue && channel.isWritable();
            boolean ours = readingPaused || requestAwaited;
            if (ours) {
                lastActivity = now;
            }
            long silent = now - lastActivity;
            if (silent < limit) {
                loop.deadlines().arm(this, limit - silent);
            } else if (headSeen) {
                fail(GatewayError.upstream(
                        ErrorKind.RESPONSE_BODY_TIMEOUT, Retry.NEVER, "the origin fell silent within its answer"));
            } else {
                fail(GatewayError.upstream(
                        ErrorKind.RESPONSE_TIMEOUT, Retry.NEVER, "the origin did not answer in time"));
            }
        }
    }
}
