package dev.lychgate.http2;

import dev.lychgate.loop.Loop;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;

/** Server side of a connection. Receives requests on streams with odd identifiers, which the peer opens. */
public abstract class ServerSide extends Http2Connection {
    private final RequestHeads heads;
    private boolean prefaceRead;
    private int last;
    private int lastTaken = Integer.MAX_VALUE;

    /**
     * Creates the server side of a connection.
     *
     * @param secure whether the client uses TLS
     * @param trusted whether the client is a trusted proxy
     */
    protected ServerSide(Loop loop, Channel channel, Http2Limits limits, boolean secure, boolean trusted) {
        super(loop, channel, limits);
        this.heads = new RequestHeads(limits.headers().startLine(), secure, trusted);
    }

    /** Adds the connection to the end of the channel's pipeline and sends its settings. */
    protected final void begin() {
        begin(
                FrameType.MAX_CONCURRENT_STREAMS,
                limits().streams(),
                FrameType.INITIAL_WINDOW_SIZE,
                limits().streamWindow(),
                FrameType.MAX_HEADER_LIST_SIZE,
                limits().headers().headerBytes(),
                FrameType.ENABLE_CONNECT_PROTOCOL,
                1);
    }

    /** Returns whether the client may open one more stream. If the result is true, {@link #onRequest} follows. */
    protected boolean admitsStream() {
        return true;
    }

    /**
     * Handles a request.
     *
     * @param end whether the request is complete
     */
    protected abstract void onRequest(int stream, ReceivedRequest request, boolean end);

    @Override
    boolean readPreface(ByteBuf in) throws Http2Fault {
        if (prefaceRead) {
            return true;
        }
        if (!Preface.mayBegin(in)) {
            throw Http2Fault.ofConnection(Http2Error.PROTOCOL_ERROR, "the HTTP/2 preface is missing");
        }
        if (in.readableBytes() < Preface.length()) {
            return false;
        }
        in.skipBytes(Preface.length());
        prefaceRead = true;
        return true;
    }

    @Override
    final boolean isIdle(int id) {
        return id > last || (id & 1) == 0;
    }

    @Override
    final void open(int id, HeaderFields first, boolean end) throws Http2Fault {
        if ((id & 1) == 0) {
            throw Http2Fault.ofConnection(Http2Error.PROTOCOL_ERROR, "the client opened a stream with an even number");
        }
        last = id;
        if (id > lastTaken || streams().count() >= limits().streams()) {
            throw Http2Fault.ofStream(id, Http2Error.REFUSED_STREAM, "too many concurrent streams");
        }
        ReceivedRequest request = heads.read(first, end);
        if (!admitsStream()) {
            throw Http2Fault.ofStream(
                    id, Http2Error.REFUSED_STREAM, "the client has too many concurrent streams on all its connections");
        }
        onRequest(id, request, end);
        if (request.malformed()) {
            countReset(Http2Fault.ofStream(id, Http2Error.PROTOCOL_ERROR, request.detail()));
        }
    }

    @Override
    protected final int lastPeerStream() {
        return last;
    }

    /** Rejects all further streams, and informs the client with GOAWAY. */
    protected final void takeNoMore() {
        lastTaken = last;
        goAway(last);
    }

    /**
     * Announces the shutdown to the client with GOAWAY. Streams that the client opens before it receives the
     * announcement are still accepted.
     */
    protected final void announceEnd() {
        goAway(Integer.MAX_VALUE);
    }
}
