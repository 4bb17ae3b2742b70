package dev.lychgate.http2;

import dev.lychgate.loop.Headroom;
import dev.lychgate.loop.Holding;
import dev.lychgate.loop.Loop;
import dev.lychgate.tls.TlsChannels;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One HTTP/2 connection, of either side: reads frames and ends in order. {@link Http2Streams} are its streams and windows,
 * {@link SendQueue} sends.
 *
 * <p>Memory is bounded: no more is buffered of the peer's data than the connection's window, and no more for the peer than
 * {@link SendQueue#MOST_QUEUED} bytes and a read of each stream.
 *
 * <p>Lives on one event loop; every method is called there.
 */
abstract class Http2Connection extends ByteToMessageDecoder implements Holding.Owner {
    private static final Logger LOG = LoggerFactory.getLogger(Http2Connection.class);

    private enum State {
        OPEN,
        /** Input is discarded, because the connection is about to end. */
        DISCARDING,
        /** GOAWAY has been written, or the channel is closed. */
        ENDED
    }

    private final Loop loop;
    private final Channel channel;
    private final Http2Limits limits;
    private final FrameBudget budget;
    private final SendQueue queue;
    private final Http2Streams streams;
    private final FrameReader reader;
    private State state = State.OPEN;
    /** The memory of incomplete frames and header blocks; null while every read ends with the end of a frame. */
    private @Nullable Holding unfinished;

    private long countedMessages;

    Http2Connection(Loop loop, Channel channel, Http2Limits limits) {
        this.loop = loop;
        this.channel = channel;
        this.limits = limits;
        this.budget = new FrameBudget(limits.resets(), loop.deadlines());
        this.queue = new SendQueue(loop, channel, budget);
        this.streams = new Http2Streams(limits, queue, loop.memory(), channel.alloc(), this::onNoStream);
        this.reader = new FrameReader(new IncomingFrames(this, streams, queue, budget), limits.headers());
    }

    /** Adds the connection to the end of the channel's pipeline and writes the first frames. */
    protected final void begin(int... settings) {
        channel.pipeline().addLast(this);
        FrameWriter w = new FrameWriter(channel.pipeline().context(this));
        queue.begin(w);
        beforeSettings(w);
        w.settings(settings);
        int more = streams.connectionWindow() - ReceiveWindow.INITIAL;
        if (more > 0) {
            w.windowUpdate(0, more);
        }
        w.flush();
    }

    /** Writes what precedes the settings. */
    void beforeSettings(FrameWriter first) {}

    /** The last open stream has closed. */
    protected void onNoStream() {}

    /** Returns the last peer's stream that we have accepted, for GOAWAY. */
    protected abstract int lastPeerStream();

    /** All streams have been notified; the channel is closed. */
    protected abstract void onClosed();

    /** Returns whether no stream of that number has begun: neither one of the peer's, nor one of ours. */
    abstract boolean isIdle(int id);

    /** A header block arrived on an idle stream. */
    abstract void open(int id, HeaderFields first, boolean end) throws Http2Fault;

    /** The peer limits how many streams may be open at once. */
    void onPeerStreams(long most) {}

    /** The peer accepts CONNECT for other protocols, or not (RFC 8441). @throws Http2Fault if it may not change that any more */
    void onConnectProtocol(boolean enabled) throws Http2Fault {}

    /** The peer's settings are known, or have changed. */
    void onSettings() {}

    /** The peer will close: it processes no stream beyond {@code lastStream}. */
    protected abstract void onGoAway(int lastStream, Http2Error error);

    /** The peer violated the protocol; the stream, or the connection, ends by that. */
    protected abstract void onFault(Http2Fault fault);

    /** The peer caused a reset of a stream. */
    protected final void countReset(Http2Fault fault) throws Http2Fault {
        onFault(fault);
        budget.onReset();
    }

    /** As {@link #countReset}, outside of any read: the connection ends if that was one too many. */
    protected final void chargeReset(Http2Fault fault) {
        try {
            countReset(fault);
        } catch (Http2Fault over) {
            onFault(over);
            end(over.error(), over.detail());
        }
    }

    // ---- events of the channel

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
        queue.beginRead();
        super.channelRead(ctx, message);
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        if (state != State.OPEN) {
            in.skipBytes(in.readableBytes());
            return;
        }
        try {
            if (readPreface(in)) {
                reader.read(in, ctx.alloc());
                reportPart();
            }
        } catch (Http2Fault fault) {
            onFault(fault);
            end(fault.error(), fault.detail());
            in.skipBytes(in.readableBytes());
        }
    }

    private void reportPart() {
        int id = reader.withinDataOf();
        Http2Stream stream = id == 0 ? null : streams.get(id);
        if (stream != null) {
            stream.onPart();
        }
    }

    /** Reads what precedes the first frame. @return whether it has been read */
    boolean readPreface(ByteBuf in) throws Http2Fault {
        return true;
    }

    /** Discards unfinished frames, and reads nothing more until {@link #end}. Not within a read. */
    @Override
    public final void releaseBytes() {
        if (isDead()) {
            return;
        }
        state = State.DISCARDING;
        channel.config().setAutoRead(false);
        reader.release();
        ChannelHandlerContext ctx = channel.pipeline().context(this);
        try {
            super.channelRead(ctx, Unpooled.EMPTY_BUFFER);
        } catch (Exception e) {
            exceptionCaught(ctx, e);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
        streams.onReadComplete();
        queue.endRead();
        countUnfinished();
        super.channelReadComplete(ctx);
    }

    private void countUnfinished() {
        int size = reader.blockSize()
                + (actualReadableBytes() == 0 ? 0 : internalBuffer().capacity());
        Holding held = unfinished;
        if (held == null) {
            if (size == 0) {
                return;
            }
            held = loop.memory().holding(this);
            unfinished = held;
        }
        if (messages() != countedMessages) {
            countedMessages = messages();
            held.moved();
        }
        boolean body = !isWithinMessage();
        // A frame of a body is short, and other streams are not to end by it; a stalled one may be reclaimed.
        if (!held.hold(size, body ? Holding.Kind.BODY : Holding.Kind.HEAD) && !body) {
            held.abort();
        }
    }

    /** The memory for incomplete frames is used up, or needed for others: they are released, and the connection ends. */
    @Override
    public void onReclaim() {
        end(Http2Error.ENHANCE_YOUR_CALM, "the memory for unfinished messages is used up");
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        boolean writable = channel.isWritable();
        // Pauses reading from a peer that does not read: responses to its frames would only pile up.
        channel.config().setAutoRead(writable && state != State.DISCARDING);
        if (writable) {
            queue.flushSoon();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (TlsChannels.isTlsFailure(cause)) {
            LOG.debug("TLS below HTTP/2 broke", cause);
        } else if (Headroom.isRefusal(cause, LOG)) {
            // The peer has done nothing wrong.
            streams.open().forEach(Http2Stream::onReclaim);
        } else if (!(cause instanceof IOException)) {
            LOG.error("a fault of ours on an HTTP/2 connection, which is closed now", cause);
        }
        TlsChannels.cut(channel);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) throws Exception {
        state = State.ENDED;
        streams.end(Http2Error.NO_ERROR);
        super.channelInactive(ctx);
        reader.release();
        queue.writer().release();
        if (unfinished != null) {
            unfinished.release();
        }
        onClosed();
    }

    // ---- the end

    /** Writes queued frames, as far as the windows allow. */
    protected final void sendWaiting() {
        if (!isDead() && channel.isActive()) {
            queue.writeLine();
        }
    }

    /** Ends the connection by {@code error}: all streams are broken off, and nothing more is read. */
    protected final void end(Http2Error error, String why) {
        if (isDead()) {
            return;
        }
        boolean discarding = state == State.DISCARDING;
        state = State.ENDED;
        if (discarding) {
            channel.config().setAutoRead(channel.isWritable());
        }
        queue.writer().goAway(lastPeerStream(), error, why);
        streams.end(error);
        queue.writer().flush();
        onLastWord(error);
        TlsChannels.shutdownOutput(channel, this::onFarewell);
    }

    /** GOAWAY has been written, but has not left yet; input is discarded. */
    protected abstract void onLastWord(Http2Error error);

    /** GOAWAY has left, and our side is closed; the peer is given a moment to close its side. */
    protected abstract void onFarewell();

    /** Announces that streams beyond {@code lastStream} are not accepted. */
    protected final void goAway(int lastStream) {
        if (!isDead()) {
            queue.writer().goAway(lastStream, Http2Error.NO_ERROR, "");
            queue.flushSoon();
        }
    }

    public final boolean isDead() {
        return state == State.ENDED;
    }

    /** Returns whether a header block, or a frame other than DATA, has begun and not ended. */
    public final boolean isWithinMessage() {
        boolean begun = reader.isWithinFrame() || actualReadableBytes() > 0;
        return reader.isWithinBlock() || (begun && reader.withinDataOf() == 0);
    }

    /** Returns how many frames, or header blocks of several frames, were read: constant while one is incomplete. */
    public final long messages() {
        return reader.messages();
    }

    public final Http2Streams streams() {
        return streams;
    }

    public final Loop loop() {
        return loop;
    }

    public final Channel channel() {
        return channel;
    }

    protected final Http2Limits limits() {
        return limits;
    }
}
