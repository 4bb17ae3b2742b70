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
 * HTTP/2 connection to a client or to an origin: reads frames and shuts down in an orderly way. {@link Http2Streams}
 * contains the streams and windows of the connection. {@link SendQueue} sends the frames of the connection.
 *
 * <p>Memory is bounded. The connection's window limits the received data. The data that is queued for sending is
 * limited to {@link SendQueue#MOST_QUEUED} bytes plus one read per stream.
 *
 * <p>Call every method on the connection's event loop.
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
    /** Memory of incomplete frames and header blocks; null until a read first ends within a frame or a header block. */
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

    /** Writes the bytes that precede the settings. */
    void beforeSettings(FrameWriter first) {}

    /** Reports that the last open stream has closed. */
    protected void onNoStream() {}

    /** Returns the identifier of the last stream that was accepted from the peer, for GOAWAY. */
    protected abstract int lastPeerStream();

    /** Reports that the channel is closed and all streams have been notified. */
    protected abstract void onClosed();

    /** Returns whether neither the peer nor the gateway has opened the stream with this identifier. */
    abstract boolean isIdle(int id);

    /** Handles a header block on an idle stream. */
    abstract void open(int id, HeaderFields first, boolean end) throws Http2Fault;

    /** Reports the peer's limit of concurrent streams. */
    void onPeerStreams(long most) {}

    /**
     * Reports whether the peer accepts extended CONNECT (RFC 8441).
     *
     * @throws Http2Fault if the change is invalid
     */
    void onConnectProtocol(boolean enabled) throws Http2Fault {}

    /** Reports that the peer has sent its first settings, or has changed its settings. */
    void onSettings() {}

    /** Reports that the peer will close the connection and does not process streams beyond {@code lastStream}. */
    protected abstract void onGoAway(int lastStream, Http2Error error);

    /** Reports a protocol violation by the peer, which ends the stream or the connection. */
    protected abstract void onFault(Http2Fault fault);

    /** Counts a stream reset that the peer caused. */
    protected final void countReset(Http2Fault fault) throws Http2Fault {
        onFault(fault);
        budget.onReset();
    }

    /**
     * Counts a stream reset that the peer caused. Called outside of a read. If the number of resets exceeds the limit,
     * this method ends the connection, whereas {@link #countReset} throws an exception.
     */
    protected final void chargeReset(Http2Fault fault) {
        try {
            countReset(fault);
        } catch (Http2Fault over) {
            onFault(over);
            end(over.error(), over.detail());
        }
    }

    // ---- channel events

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
        queue.beginRead();
        if (message instanceof ByteBuf in) {
            completeFrame(ctx, in);
        }
        super.channelRead(ctx, message);
    }

    /**
     * Completes the frame that the previous read has begun. The superclass copies the bytes that it receives while it
     * holds others; it would copy the whole read, and not only the rest of the frame.
     */
    private void completeFrame(ChannelHandlerContext ctx, ByteBuf in) throws Exception {
        int held = actualReadableBytes();
        while (held > 0) {
            int missing = reader.missing(held);
            if (missing <= 0 || missing >= in.readableBytes()) {
                return;
            }
            super.channelRead(ctx, in.readRetainedSlice(missing));
            held = actualReadableBytes();
        }
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

    /**
     * Reads the bytes that precede the first frame.
     *
     * @return whether these bytes are complete
     */
    boolean readPreface(ByteBuf in) throws Http2Fault {
        return true;
    }

    /** Discards incomplete frames and stops reading; {@link #end} follows. Must not be called within a read. */
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
        // An incomplete DATA frame is small, and a lack of memory for it must not end other streams. If the frame
        // stalls, its memory may be reclaimed.
        if (!held.hold(size, body ? Holding.Kind.BODY : Holding.Kind.HEAD) && !body) {
            held.abort();
        }
    }

    /** Ends the connection, because the memory for incomplete frames is exhausted or was reclaimed. */
    @Override
    public void onReclaim() {
        end(Http2Error.ENHANCE_YOUR_CALM, "the memory budget for unfinished messages is exhausted");
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        boolean writable = channel.isWritable();
        // Pauses reading from a peer that does not read. The pause limits how many replies to the frames of this peer
        // are queued.
        channel.config().setAutoRead(writable && state != State.DISCARDING);
        if (writable) {
            queue.flushSoon();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (TlsChannels.isTlsFailure(cause)) {
            LOG.debug("TLS failure on an HTTP/2 connection; the connection is closed", cause);
        } else if (Headroom.isRefusal(cause, LOG)) {
            // A lack of memory is not a fault of the peer, so all streams fail with the lack of memory as the reason.
            streams.open().forEach(Http2Stream::onReclaim);
        } else if (!(cause instanceof IOException)) {
            LOG.error("internal error on an HTTP/2 connection; the connection is closed", cause);
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

    // ---- shutdown

    /** Writes queued frames as far as the flow-control windows permit. */
    protected final void sendWaiting() {
        if (!isDead() && channel.isActive()) {
            queue.writeLine();
        }
    }

    /** Ends the connection with {@code error}: aborts all streams and stops reading. */
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

    /** Reports that GOAWAY has been written but not yet sent. From now on, input is discarded. */
    protected abstract void onLastWord(Http2Error error);

    /**
     * Reports that GOAWAY has been sent and the output is closed. From now on, the peer has a short time to close its
     * side.
     */
    protected abstract void onFarewell();

    /** Sends GOAWAY, which announces that streams beyond {@code lastStream} are not accepted. */
    protected final void goAway(int lastStream) {
        if (!isDead()) {
            queue.writer().goAway(lastStream, Http2Error.NO_ERROR, "");
            queue.flushSoon();
        }
    }

    public final boolean isDead() {
        return state == State.ENDED;
    }

    /** Returns whether a header block, or a frame other than DATA, is incomplete. */
    public final boolean isWithinMessage() {
        boolean begun = reader.isWithinFrame() || actualReadableBytes() > 0;
        return reader.isWithinBlock() || (begun && reader.withinDataOf() == 0);
    }

    /**
     * Returns the number of complete frames. A header block counts as one frame. The number does not change while a
     * frame or header block is incomplete.
     */
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
