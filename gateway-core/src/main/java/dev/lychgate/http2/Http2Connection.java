package dev.lychgate.http2;

import dev.lychgate.loop.Headroom;
import dev.lychgate.loop.HeldMemory;
import dev.lychgate.loop.Loop;
import dev.lychgate.tls.TlsChannels;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.util.collection.IntObjectHashMap;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One HTTP/2 connection, of either side: reads frames, knows its streams, and sends what they have to say, each in turn, as
 * far as the windows allow. What is written while something is read, or within one turn of the loop, leaves in one go.
 *
 * <p>Memory is bounded by what is taken: no more is kept of what the peer sends than the connection's window, and no more
 * for him than {@value #MOST_QUEUED} bytes and a read of each stream.
 *
 * <p>Lives on one event loop; every method is called there.
 */
abstract class Http2Connection extends ByteToMessageDecoder {
    private static final Logger LOG = LoggerFactory.getLogger(Http2Connection.class);

    /** Beyond it a stream is not to be written to. */
    private static final int STREAM_WATERMARK = 64 * 1024;
    /** Beyond it none is. */
    private static final int MOST_QUEUED = 2 << 20;

    private static final int FIRST_WINDOW = 65_535;
    /** Where streams share no window: as good as none, as long as what comes is acknowledged at once. */
    private static final int LARGE_WINDOW = 16 << 20;

    private final Loop loop;
    private final Channel channel;
    private final Http2Limits limits;
    private final FrameBudget budget;
    private final FrameReader reader;
    private final OutgoingFields fields = new OutgoingFields();
    private final IntObjectHashMap<Http2Stream> streams = new IntObjectHashMap<>();
    private final ClosedStreams closed = new ClosedStreams();
    private final ArrayList<Http2Stream> touched = new ArrayList<>();
    /** Those who have something to write, in turn. */
    private final ArrayDeque<Http2Stream> line = new ArrayDeque<>();
    /** Those who were told to wait. */
    private final ArrayDeque<Http2Stream> waiting = new ArrayDeque<>();

    private final Runnable flush = this::flushInTask;
    private @Nullable FrameWriter writer;
    private int receiveWindow;
    private int toReturn;
    private int sendWindow = FIRST_WINDOW;
    private int peerWindow = FIRST_WINDOW;
    private int queued;
    private boolean acknowledged;
    private boolean reading;
    private boolean flushScheduled;
    private boolean dead;
    /** None while every read ends with the end of a frame. */
    private @Nullable UnfinishedFrames unfinished;
    /** Input is discarded, because the connection is about to end. */
    private boolean deaf;

    Http2Connection(Loop loop, Channel channel, Http2Limits limits) {
        this.loop = loop;
        this.channel = channel;
        this.limits = limits;
        this.budget = new FrameBudget(limits.resets(), loop.deadlines());
        this.reader = new FrameReader(new IncomingFrames(this, budget), limits.headers());
        this.receiveWindow = firstWindow();
    }

    /** Puts itself at the end of the channel's pipeline and says the first words. */
    protected final void begin(int... settings) {
        channel.pipeline().addLast(this);
        ChannelHandlerContext ctx = channel.pipeline().context(this);
        FrameWriter w = new FrameWriter(ctx);
        writer = w;
        beforeSettings(w);
        w.settings(settings);
        if (firstWindow() > FIRST_WINDOW) {
            w.windowUpdate(0, firstWindow() - FIRST_WINDOW);
        }
        w.flush();
    }

    private int firstWindow() {
        return hasWindow() ? limits.connectionWindow() : LARGE_WINDOW;
    }

    /** Whether all streams share a window, beside those that each of them has. */
    private boolean hasWindow() {
        return limits.connectionWindow() > 0;
    }

    /** What is to be written before the settings. */
    void beforeSettings(FrameWriter first) {}

    // ---- what is known by those who extend it

    /** Whether no stream of that number has begun: the peer's next one, or one that we have not opened yet. */
    protected abstract boolean isIdle(int id);

    /** A header block has come on a stream that has not begun. */
    protected abstract void open(int id, HeaderFields first, boolean end) throws Http2Fault;

    /** How many streams the peer lets us open at once. */
    protected void onPeerStreams(long most) {}

    /** Whether the peer takes CONNECT for other protocols (RFC 8441). @throws Http2Fault if it may not say so any more */
    protected void onConnectProtocol(boolean enabled) throws Http2Fault {}

    /** The peer's settings are known, or have changed. */
    protected void onSettings() {}

    protected void onPong(long data) {}

    /** The peer will close: it has taken no stream beyond {@code lastStream}. */
    protected void onGoAway(int lastStream, Http2Error error) {}

    /** The last stream that there was is over. */
    protected void onNoStream() {}

    /** The peer has broken the rules; the stream, or the connection, ends by that. */
    protected abstract void onFault(Http2Fault fault);

    /** The last peer's stream that we have taken, for GOAWAY. */
    protected abstract int lastPeerStream();

    /** All streams have been told; the connection is gone. */
    protected abstract void onClosed();

    // ---- streams

    @Nullable
    Http2Stream stream(int id) {
        return streams.get(id);
    }

    ClosedStreams.End closed(int id) {
        return closed.of(id);
    }

    /** A stream begins. */
    protected final void add(Http2Stream stream) {
        streams.put(stream.id(), stream);
    }

    void remove(Http2Stream stream, ClosedStreams.End how) {
        streams.remove(stream.id());
        closed.add(stream.id(), how);
        if (streams.isEmpty() && !dead) {
            onNoStream();
        }
    }

    /** A stream that has never been open is refused: what is on its way on it will be passed over. */
    void refused(int id) {
        if (closed.of(id) == ClosedStreams.End.UNKNOWN) {
            closed.add(id, ClosedStreams.End.RESET_BY_US);
        }
    }

    /** The peer has brought it about that a stream is going to be reset. */
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

    /** How many streams are open. */
    protected final int streams() {
        return streams.size();
    }

    /** The streams that are open now; they may end while they are looked at. */
    protected final List<Http2Stream> open() {
        return new ArrayList<>(streams.values());
    }

    /** Within a read, {@code stream} has been told something. */
    protected final void touch(Http2Stream stream) {
        if (!stream.touched) {
            stream.touched = true;
            touched.add(stream);
        }
    }

    // ---- windows

    /** Counts what has come against the connection's window. @return whether it was within */
    boolean received(int bytes) {
        receiveWindow -= bytes;
        boolean within = receiveWindow >= 0;
        if (!hasWindow()) {
            acknowledge(bytes);
        }
        return within;
    }

    /** {@code bytes} of what has come are not kept any longer. */
    void taken(int bytes) {
        if (hasWindow()) {
            acknowledge(bytes);
        }
    }

    private void acknowledge(int bytes) {
        toReturn += bytes;
        if (toReturn >= firstWindow() / 2 && !dead) {
            writer().windowUpdate(0, toReturn);
            receiveWindow += toReturn;
            toReturn = 0;
            flushSoon();
        }
    }

    /** How much the peer may send on a stream that begins now: until he knows our settings, what everybody may. */
    int streamWindow() {
        return acknowledged ? limits.streamWindow() : Math.max(FIRST_WINDOW, limits.streamWindow());
    }

    /** The peer has heard our settings, and holds to them from here on. */
    void onAcknowledged() {
        if (acknowledged) {
            return;
        }
        int more = limits.streamWindow() - streamWindow();
        acknowledged = true;
        for (Http2Stream stream : open()) {
            stream.input.window += more;
        }
    }

    int peerWindow() {
        return peerWindow;
    }

    /** The peer gives another window to all streams. */
    void peerWindow(int bytes) throws Http2Fault {
        int more = bytes - peerWindow;
        peerWindow = bytes;
        for (Http2Stream stream : open()) {
            if (!grow(stream, more)) {
                throw Http2Fault.ofConnection(Http2Error.FLOW_CONTROL_ERROR, "a setting that makes a window too large");
            }
        }
    }

    boolean grow(int increment) {
        long grown = (long) sendWindow + increment;
        sendWindow = (int) grown;
        flushSoon();
        return grown <= Integer.MAX_VALUE;
    }

    boolean grow(Http2Stream stream, int increment) {
        long grown = (long) stream.output.window + increment;
        stream.output.window = (int) grown;
        if (stream.output.isWaiting()) {
            line(stream);
        }
        return grown <= Integer.MAX_VALUE && grown >= Integer.MIN_VALUE;
    }

    // ---- sending

    OutgoingFields fields() {
        return fields.begin();
    }

    FrameWriter writer() {
        FrameWriter w = writer;
        if (w == null) {
            throw new IllegalStateException("a connection that has not begun");
        }
        return w;
    }

    void queue(Http2Stream stream, ByteBuf piece) {
        if (stream.output.bytes() == 0) {
            stream.output.movedAt = loop.deadlines().now();
        }
        queued += piece.readableBytes();
        stream.output.add(piece);
        line(stream);
    }

    void dropped(int bytes) {
        queued -= bytes;
    }

    /** {@code stream} has something to write. */
    void line(Http2Stream stream) {
        if (!stream.output.inLine) {
            stream.output.inLine = true;
            line.addLast(stream);
        }
        flushSoon();
    }

    boolean mayQueue(Http2Stream stream) {
        // Header blocks are written at once: only the channel knows how many of them wait.
        boolean may = stream.output.bytes() < STREAM_WATERMARK && queued < MOST_QUEUED && channel.isWritable();
        if (!may && !stream.output.awaited) {
            stream.output.awaited = true;
            waiting.addLast(stream);
        }
        return may;
    }

    /** Sends what has been written, at the end of this read or of this turn of the loop. */
    protected final void flushSoon() {
        if (!reading && !flushScheduled) {
            flushScheduled = true;
            loop.eventLoop().execute(flush);
        }
    }

    private void flushInTask() {
        try {
            flushNow();
        } catch (OutOfMemoryError refusal) {
            onRefusal(refusal);
        }
    }

    /** No memory was left for something to be written. The peer can't read what follows a part of it: the connection ends. */
    void onRefusal(OutOfMemoryError refusal) {
        Headroom.isRefusal(refusal, LOG);
        TlsChannels.cut(channel);
    }

    private void flushNow() {
        flushScheduled = false;
        if (channel.isActive()) {
            writeLine();
            tellWritable();
            writer().flush();
        }
    }

    /** Lets everybody write a frame in turn, until nobody can. */
    private void writeLine() {
        int stuck = 0;
        while (stuck < line.size() && channel.isWritable()) {
            Http2Stream stream = line.removeFirst();
            StreamOutput output = stream.output;
            if (!output.isWaiting() || output.isShut()) {
                // Done, or until the peer opens its window.
                output.inLine = false;
            } else if (output.bytes() > 0 && sendWindow <= 0) {
                line.addLast(stream);
                stuck++;
            } else {
                write(stream);
                stuck = 0;
            }
        }
    }

    private void write(Http2Stream stream) {
        StreamOutput output = stream.output;
        int open = Math.min(output.window, sendWindow);
        boolean dribble = output.bytes() > open && open < FrameType.LONGEST;
        int written = output.write(stream.id(), writer(), fields, sendWindow);
        sendWindow -= written;
        queued -= written;
        output.movedAt = loop.deadlines().now();
        output.inLine = output.isWaiting();
        if (output.inLine) {
            line.addLast(stream);
        }
        if (!dribble) {
            // What a window cuts short earns nothing, or windows that open byte by byte would pay for themselves.
            budget.onDataSent();
        }
        if (output.done) {
            stream.sent();
        }
    }

    private void tellWritable() {
        for (int n = waiting.size(); n > 0; n--) {
            Http2Stream stream = waiting.removeFirst();
            stream.output.awaited = false;
            if (!stream.isClosed() && mayQueue(stream)) {
                stream.onWritable();
            }
        }
    }

    // ---- what the channel tells

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
        reading = true;
        super.channelRead(ctx, message);
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        if (dead || deaf) {
            in.skipBytes(in.readableBytes());
            return;
        }
        try {
            if (readPreface(in)) {
                reader.read(in, ctx.alloc());
                tellPart();
            }
        } catch (Http2Fault fault) {
            onFault(fault);
            end(fault.error(), fault.detail());
            in.skipBytes(in.readableBytes());
        }
    }

    /** Discards unfinished frames, and reads nothing more until {@link #end}. Not within a read. */
    final void readNoMore() {
        if (dead) {
            return;
        }
        deaf = true;
        channel.config().setAutoRead(false);
        reader.release();
        ChannelHandlerContext ctx = channel.pipeline().context(this);
        try {
            super.channelRead(ctx, Unpooled.EMPTY_BUFFER);
        } catch (Exception e) {
            exceptionCaught(ctx, e);
        }
    }

    private void countUnfinished() {
        int size = reader.blockSize()
                + (actualReadableBytes() == 0 ? 0 : internalBuffer().capacity());
        UnfinishedFrames frames = unfinished;
        if (frames == null) {
            if (size == 0) {
                return;
            }
            frames = new UnfinishedFrames(this);
            unfinished = frames;
        }
        frames.count(size);
    }

    /** The memory for frames that are not complete is used up, or needed for others: they are released, and the connection ends. */
    protected void onUnfinishedReclaimed() {
        end(Http2Error.ENHANCE_YOUR_CALM, "the memory for unfinished messages is used up");
    }

    HeldMemory memory() {
        return loop.memory();
    }

    private void tellPart() {
        int id = reader.withinDataOf();
        Http2Stream stream = id == 0 ? null : streams.get(id);
        if (stream != null) {
            stream.onPart();
        }
    }

    /** Reads what comes before the first frame. @return whether it has been read */
    boolean readPreface(ByteBuf in) throws Http2Fault {
        return true;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
        for (int i = 0; i < touched.size(); i++) {
            Http2Stream stream = touched.get(i);
            stream.touched = false;
            stream.onReadComplete();
        }
        touched.clear();
        reading = false;
        flushNow();
        countUnfinished();
        super.channelReadComplete(ctx);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        boolean writable = channel.isWritable();
        // Whoever does not take what we say is not listened to: answers to his frames would only pile up.
        channel.config().setAutoRead(writable && !deaf);
        if (writable) {
            flushSoon();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (TlsChannels.isTlsFailure(cause)) {
            LOG.debug("TLS below HTTP/2 broke", cause);
        } else if (!(cause instanceof IOException) && !Headroom.isRefusal(cause, LOG)) {
            LOG.error("a fault of ours on an HTTP/2 connection, which is closed now", cause);
        }
        TlsChannels.cut(channel);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) throws Exception {
        dead = true;
        breakAll(Http2Error.NO_ERROR);
        super.channelInactive(ctx);
        reader.release();
        writer().release();
        if (unfinished != null) {
            unfinished.release();
        }
        onClosed();
    }

    // ---- the end

    /** Sends what has been written, and waits, as far as the windows allow. */
    protected final void sendWaiting() {
        if (!dead && channel.isActive()) {
            writeLine();
        }
    }

    /** Ends the connection by {@code error}: all that is under way on it is broken off, and nothing more is read. */
    protected final void end(Http2Error error, String why) {
        if (dead) {
            return;
        }
        dead = true;
        if (deaf) {
            deaf = false;
            channel.config().setAutoRead(channel.isWritable());
        }
        writer().goAway(lastPeerStream(), error, why);
        breakAll(error);
        writer().flush();
        onLastWord(error);
        TlsChannels.endOutput(channel).addListener(written -> {
            if (channel instanceof DuplexChannel duplex && written.isSuccess()) {
                // Closed with something unread, it would be reset, and the last word might be lost.
                duplex.shutdownOutput();
                onFarewell();
            } else {
                channel.close();
            }
        });
    }

    /** The last word has been written, but has not left yet; what still comes is thrown away. */
    protected abstract void onLastWord(Http2Error error);

    /** The last word has left, and our side is closed; the peer is given a moment to close his. */
    protected abstract void onFarewell();

    /** Says that streams beyond {@code lastStream} are not taken. */
    protected final void goAway(int lastStream) {
        if (!dead) {
            writer().goAway(lastStream, Http2Error.NO_ERROR, "");
            flushSoon();
        }
    }

    private void breakAll(Http2Error error) {
        for (Http2Stream stream : open()) {
            stream.broken(error, ClosedStreams.End.RESET_BY_US);
        }
    }

    protected final boolean isDead() {
        return dead;
    }

    /** Whether a header block, or a frame other than one of a body, has begun and not ended. */
    protected final boolean isWithinMessage() {
        boolean begun = reader.isWithinFrame() || actualReadableBytes() > 0;
        return reader.isWithinBlock() || (begun && reader.withinDataOf() == 0);
    }

    /** How many frames, or header blocks of several frames, have come: while one is under way it stays the same. */
    protected final long messages() {
        return reader.messages();
    }

    protected final Loop loop() {
        return loop;
    }

    protected final Channel channel() {
        return channel;
    }

    protected final Http2Limits limits() {
        return limits;
    }
}
