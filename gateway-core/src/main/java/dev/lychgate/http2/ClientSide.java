package dev.lychgate.http2;

import dev.lychgate.loop.Loop;
import io.netty.channel.Channel;

/** Client side of a connection. The client side opens streams with odd identifiers; the peer opens no streams. */
public abstract class ClientSide extends Http2Connection {
    /** Limit of concurrent streams until the peer's settings arrive: the minimum that RFC 9113, 6.5.2 recommends. */
    private static final int STREAMS_AT_FIRST = 100;

    private int next = 1;
    private long peerStreams = STREAMS_AT_FIRST;
    private boolean goingAway;
    private boolean settled;
    private boolean connectProtocol;

    protected ClientSide(Loop loop, Channel channel, Http2Limits limits) {
        super(loop, channel, limits);
    }

    /** Adds the connection to the end of the channel's pipeline and sends its settings. */
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

    /** Returns the next stream identifier, which the caller must use immediately. */
    public final int nextStream() {
        int id = next;
        next += 2;
        return id;
    }

    /** Returns whether another stream may be opened now. */
    protected final boolean hasRoom() {
        return !goingAway && !isDead() && next > 0 && streams().count() < Math.min(peerStreams, limits().streams());
    }

    /** Returns whether no further streams can be opened. */
    public final boolean isGoingAway() {
        return goingAway || isDead() || next < 0;
    }

    /** Prevents the opening of further streams. */
    public final void beginNoMore() {
        goingAway = true;
    }

    /** Returns the limit of concurrent streams: the minimum of the peer's and the local limit. */
    protected final int room() {
        return (int) Math.min(peerStreams, limits().streams());
    }

    /**
     * Returns whether the peer's first settings have arrived. Before the first settings, the capabilities of the peer
     * are unknown.
     */
    protected final boolean isSettled() {
        return settled;
    }

    /** Returns whether the peer has announced that it accepts CONNECT for other protocols (RFC 8441). */
    protected final boolean takesConnectProtocol() {
        return connectProtocol;
    }

    /** Reports that the capacity for streams may have changed. */
    protected abstract void onRoom();

    @Override
    final boolean isIdle(int id) {
        // Even identifiers are idle, because the peer cannot open streams.
        return id >= next || (id & 1) == 0;
    }

    @Override
    final void open(int id, HeaderFields first, boolean end) throws Http2Fault {
        throw Http2Fault.ofConnection(
                Http2Error.PROTOCOL_ERROR, "the peer sent a response on a stream that the gateway did not open");
    }

    @Override
    final void onPeerStreams(long most) {
        peerStreams = most;
    }

    @Override
    final void onConnectProtocol(boolean enabled) throws Http2Fault {
        if (connectProtocol && !enabled) {
            throw Http2Fault.ofConnection(
                    Http2Error.PROTOCOL_ERROR, "SETTINGS_ENABLE_CONNECT_PROTOCOL changed from 1 to 0 (RFC 8441, 3)");
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

    /** Reports the peer's first settings. */
    protected abstract void onSettled();

    @Override
    protected final void onGoAway(int lastStream, Http2Error error) {
        goingAway = true;
        for (Http2Stream stream : streams().open()) {
            if (stream.id() > lastStream) {
                // The peer has not processed the stream and will not process it (RFC 9113, 6.8).
                stream.broken(Http2Error.REFUSED_STREAM, ClosedStreams.End.RESET_BY_PEER);
            }
        }
        onGoingAway();
    }

    /** Reports that the peer accepts no further streams. */
    protected abstract void onGoingAway();

    @Override
    protected final int lastPeerStream() {
        return 0;
    }
}
