package dev.lychgate.origin;

import dev.lychgate.codec.DecoderLimits;
import dev.lychgate.http2.ClientSide;
import dev.lychgate.http2.Http2Error;
import dev.lychgate.http2.Http2Fault;
import dev.lychgate.http2.Http2Limits;
import dev.lychgate.http2.Http2Stream;
import dev.lychgate.loop.Loop;
import dev.lychgate.tls.UnfinishedRecords;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HTTP/2 connection to an origin, which carries concurrent exchanges of one event loop. A slow client can use up the
 * flow-control window of its own stream only, so it does not block other exchanges. Used on its event loop.
 */
public final class Http2OriginConnection extends ClientSide implements PooledConnection {
    private static final Logger LOG = LoggerFactory.getLogger(Http2OriginConnection.class);

    private static final int STREAM_WINDOW = 256 << 10;
    /**
     * Disables the flow-control limit of the whole connection, so that the data of a stream is limited by the window of
     * this stream alone.
     */
    private static final int NO_WINDOW_FOR_ALL = 0;
    /**
     * The maximum number of responses that the origin may abort within 30 s. If the origin aborts more, the connection
     * is closed.
     */
    private static final int RESETS = 1000;

    private final ConnectionOwner owner;
    /** WebSocket requests that wait for the origin's first settings. */
    private final ArrayDeque<Http2Connect> unsettled = new ArrayDeque<>();

    final boolean secure;
    private final ConnectionUse use;
    private int lent;
    private long lastRead;
    private @Nullable Runnable onRoom;

    private Http2OriginConnection(Loop loop, Channel channel, boolean secure, ConnectionOwner owner) {
        super(
                loop,
                channel,
                new Http2Limits(DecoderLimits.ORIGIN, Integer.MAX_VALUE, STREAM_WINDOW, NO_WINDOW_FOR_ALL, RESETS));
        this.owner = owner;
        this.secure = secure;
        this.use = new ConnectionUse(loop.deadlines());
        this.lastRead = use.createdAt();
    }

    /**
     * Starts HTTP/2 on a newly connected channel.
     *
     * @param secure whether the channel uses TLS
     */
    static Http2OriginConnection on(Channel channel, Loop loop, boolean secure, ConnectionOwner owner) {
        Http2OriginConnection connection = new Http2OriginConnection(loop, channel, secure, owner);
        connection.begin();
        return connection;
    }

    /** Registers {@code task}, which runs whenever the connection may have capacity for more streams than before. */
    public void whenRoom(Runnable task) {
        onRoom = task;
    }

    @Override
    public @Nullable OriginStream lend() {
        if (!hasRoom() || lent >= room()) {
            return null;
        }
        lent++;
        use.onRequest();
        return new Http2OriginStream(this);
    }

    @Override
    public boolean giveBack(OriginStream stream) {
        ((Http2OriginStream) stream).leave();
        lent--;
        use.onIdle();
        return !isGoingAway();
    }

    @Override
    public int exchanges() {
        return lent;
    }

    /** Returns the limit of concurrent streams that is currently known; at least 1. */
    public int capacity() {
        return Math.max(1, room());
    }

    @Override
    public ConnectionUse use() {
        return use;
    }

    @Override
    public boolean isOpen() {
        return !isDead() && channel().isActive();
    }

    @Override
    public void close() {
        end(Http2Error.NO_ERROR, "");
    }

    /**
     * Notifies {@code waiting} after the HTTP/2 settings of the origin have arrived, but not before this method has
     * returned.
     */
    void whenSettled(Http2Connect waiting) {
        unsettled.addLast(waiting);
        if (isSettled()) {
            loop().eventLoop().execute(this::tellSettled);
        }
    }

    private void tellSettled() {
        for (Http2Connect next = unsettled.poll(); next != null; next = unsettled.poll()) {
            if (isGoingAway()) {
                next.onLost();
            } else {
                next.onSettled(takesConnectProtocol());
            }
        }
    }

    @Override
    protected void onSettled() {
        tellSettled();
    }

    @Override
    public OriginTunnel keep(OriginStream stream, Runnable ended) {
        return ((Http2OriginStream) stream).keep(ended);
    }

    /**
     * Called after a stream has timed out. If the connection has received nothing since that stream began, the cause
     * may be the network path and not the origin. In this case, the pool leases no new streams of this connection.
     *
     * @param since the time at which the stream began, on the clock of the deadline wheel
     */
    void suspect(long since) {
        if (lastRead <= since) {
            beginNoMore();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
        lastRead = loop().deadlines().now();
        super.channelRead(ctx, message);
    }

    @Override
    protected void onRoom() {
        Runnable tell = onRoom;
        if (tell != null) {
            tell.run();
        }
    }

    @Override
    protected void onGoingAway() {
        tellSettled();
        onRoom();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
        if (event == UnfinishedRecords.RECLAIMED) {
            onReclaim();
        }
        super.userEventTriggered(ctx, event);
    }

    @Override
    public void onReclaim() {
        for (Http2Stream stream : streams().open()) {
            stream.onReclaim();
        }
        super.onReclaim();
    }

    @Override
    protected void onFault(Http2Fault fault) {
        LOG.debug(
                "an origin violated the HTTP/2 protocol, so the stream or the connection is closed: {} ({})",
                fault.detail(),
                fault.error());
    }

    @Override
    protected void onLastWord(Http2Error error) {
        // An origin that does not read the last frames must not delay the close.
        loop().eventLoop().schedule(() -> channel().close(), 1, TimeUnit.SECONDS);
    }

    @Override
    protected void onFarewell() {
        channel().close();
    }

    @Override
    protected void onClosed() {
        tellSettled();
        owner.onConnectionClosed(this);
    }
}
