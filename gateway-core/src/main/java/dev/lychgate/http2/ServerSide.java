package dev.lychgate.http2;

import dev.lychgate.loop.Loop;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;

/** The side of a connection that takes requests: the peer opens streams, of odd numbers. */
public abstract class ServerSide extends Http2Connection {
    private final RequestHeads heads;
    private boolean prefaceRead;
    private int last;
    private int lastTaken = Integer.MAX_VALUE;

    /**
     * @param secure whether TLS is spoken with the client
     * @param trusted whether the client is a trusted proxy
     */
    protected ServerSide(Loop loop, Channel channel, Http2Limits limits, boolean secure, boolean trusted) {
        super(loop, channel, limits);
        this.heads = new RequestHeads(limits.headers().startLine(), secure, trusted);
    }

    /** Puts itself at the end of the channel's pipeline and sends its settings. */
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

    /** A request has come. @param end whether it is whole */
    protected abstract void onRequest(int stream, ReceivedRequest request, boolean end);

    @Override
    boolean readPreface(ByteBuf in) throws Http2Fault {
        if (prefaceRead) {
            return true;
        }
        if (!Preface.mayBegin(in)) {
            throw Http2Fault.ofConnection(Http2Error.PROTOCOL_ERROR, "not HTTP/2");
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
            throw Http2Fault.ofConnection(Http2Error.PROTOCOL_ERROR, "a stream of an even number");
        }
        last = id;
        if (id > lastTaken || streams().count() >= limits().streams()) {
            throw Http2Fault.ofStream(id, Http2Error.REFUSED_STREAM, "more streams at once than allowed");
        }
        ReceivedRequest request = heads.read(first, end);
        onRequest(id, request, end);
        if (request.malformed()) {
            countReset(Http2Fault.ofStream(id, Http2Error.PROTOCOL_ERROR, request.detail()));
        }
    }

    @Override
    protected final int lastPeerStream() {
        return last;
    }

    /** Takes no stream any more, and says so. */
    protected final void takeNoMore() {
        lastTaken = last;
        goAway(last);
    }

    /** Says that it will take no stream any more in a moment: those that are on their way still are taken. */
    protected final void announceEnd() {
        goAway(Integer.MAX_VALUE);
    }
}
