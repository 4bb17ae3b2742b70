package dev.lychgate.http2;

import dev.lychgate.loop.Loop;
import io.netty.channel.Channel;

/** The side of a connection that asks: it opens streams, of odd numbers, and the peer opens none. */
public abstract class ClientSide extends Http2Connection {
    /** As long as the peer has said nothing: what everybody is advised to allow at least (RFC 9113, 6.5.2). */
    private static final int STREAMS_AT_FIRST = 100;

    private int next = 1;
    private long peerStreams = STREAMS_AT_FIRST;
    private boolean goingAway;
    private boolean settled;
    private boolean connectProtocol;

    protected ClientSide(Loop loop, Channel channel, Http2Limits limits) {
        super(loop, channel, limits);
    }

    /** Puts itself at the end of the channel's pipeline and sends its settings. */
    protected final void begin() {
        begin(
                FrameType.ENABLE_PUSH,
                0,
                FrameType.INITIAL_WINDOW_SIZE,
                limits().streamWindow(),
                FrameType.MAX_HEADER_LIST_SIZE,
                limits().headers().headerBytes());
    }

    @Override
    void beforeSettings(FrameWriter first) {
        first.preface();
    }

    /** The number of the next stream; it must be used at once. */
    public final int nextStream() {
        int id = next;
        next += 2;
        return id;
    }

    /** Whether another stream may begin here and now. */
    protected final boolean hasRoom() {
        return !goingAway && !isDead() && next > 0 && streams().count() < Math.min(peerStreams, limits().streams());
    }

    /** Whether no stream will begin here any more. */
    public final boolean isGoingAway() {
        return goingAway || isDead() || next < 0;
    }

    /** No stream begins here any more. */
    public final void beginNoMore() {
        goingAway = true;
    }

    /** How many streams the peer allows at once, and so do we. */
    protected final int room() {
        return (int) Math.min(peerStreams, limits().streams());
    }

    /** Whether the peer's first settings have come: until then nobody knows what it can do. */
    protected final boolean isSettled() {
        return settled;
    }

    /** Whether the peer takes CONNECT for other protocols, as far as is known. */
    protected final boolean takesConnectProtocol() {
        return connectProtocol;
    }

    /** There may be room for more streams, or for less, than before. */
    protected abstract void onRoom();

    @Override
    final boolean isIdle(int id) {
        // None of the peer's streams can have begun.
        return id >= next || (id & 1) == 0;
    }

    @Override
    final void open(int id, HeaderFields first, boolean end) throws Http2Fault {
        throw Http2Fault.ofConnection(Http2Error.PROTOCOL_ERROR, "a stream that nobody has opened");
    }

    @Override
    final void onPeerStreams(long most) {
        peerStreams = most;
    }

    @Override
    final void onConnectProtocol(boolean enabled) throws Http2Fault {
        if (connectProtocol && !enabled) {
            throw Http2Fault.ofConnection(
                    Http2Error.PROTOCOL_ERROR, "CONNECT for other protocols taken back (RFC 8441, 3)");
        }
        connectProtocol = enabled;
    }

    @Override
    final void onSettings() {
        if (!settled) {
            settled = true;
            onSettled();
        }
        onRoom();
    }

    /** The peer's first settings have come. */
    protected abstract void onSettled();

    @Override
    protected final void onGoAway(int lastStream, Http2Error error) {
        goingAway = true;
        for (Http2Stream stream : streams().open()) {
            if (stream.id() > lastStream) {
                // The peer has not looked at it, and will not (RFC 9113, 6.8).
                stream.broken(Http2Error.REFUSED_STREAM, ClosedStreams.End.RESET_BY_PEER);
            }
        }
        onGoingAway();
    }

    /** The peer takes no more streams. */
    protected abstract void onGoingAway();

    @Override
    protected final int lastPeerStream() {
        return 0;
    }
}
