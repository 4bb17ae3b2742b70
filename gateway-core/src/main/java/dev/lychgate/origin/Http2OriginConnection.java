package dev.lychgate.origin;

import dev.lychgate.codec.DecoderLimits;
import dev.lychgate.http2.ClientSide;
import dev.lychgate.http2.HeaderLimits;
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
 * One HTTP/2 connection to an origin: carries many exchanges of one event loop at once. No exchange can hold up another:
 * what its client does not take fills its own stream's window and no other's.
 */
final class Http2OriginConnection extends ClientSide implements MultiplexedConnection {
    private static final Logger LOG = LoggerFactory.getLogger(Http2OriginConnection.class);

    private static final int STREAM_WINDOW = 256 << 10;
    /** Each stream's window is all that it may fill. */
    private static final int NO_WINDOW_FOR_ALL = 0;
    /** An origin that breaks off so many answers within 30 s is not worth being asked on this connection. */
    private static final int RESETS = 1000;

    /** Waits for the origin's first settings. */
    interface Settled {
        /** They are there. @param connects whether the origin takes CONNECT for other protocols */
        void onSettled(boolean connects);

        /** They won't come any more, or of no use: no stream begins here. */
        void onLost();
    }

    private final ConnectionOwner owner;
    private final ArrayDeque<Settled> unsettled = new ArrayDeque<>();
    private final boolean secure;
    private final ConnectionUse use;
    private int lent;
    private long lastRead;
    private @Nullable Runnable onRoom;

    private Http2OriginConnection(Loop loop, Channel channel, boolean secure, ConnectionOwner owner) {
        super(
                loop,
                channel,
                new Http2Limits(
                        new HeaderLimits(DecoderLimits.ORIGIN.headerBytes(), DecoderLimits.ORIGIN.headerCount()),
                        Integer.MAX_VALUE,
                        STREAM_WINDOW,
                        NO_WINDOW_FOR_ALL,
                        RESETS));
        this.owner = owner;
        this.secure = secure;
        this.use = new ConnectionUse(loop.deadlines());
        this.lastRead = use.createdAt();
    }

    /**
     * Begins to speak HTTP/2 on a channel that has just been connected.
     *
     * @param secure whether TLS is spoken below
     */
    public static Http2OriginConnection on(Channel channel, Loop loop, boolean secure, ConnectionOwner owner) {
        Http2OriginConnection connection = new Http2OriginConnection(loop, channel, secure, owner);
        connection.begin();
        return connection;
    }

    @Override
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
        return !isEnding();
    }

    @Override
    public int exchanges() {
        return lent;
    }

    @Override
    public boolean isEnding() {
        return isGoingAway();
    }

    @Override
    public void lendNoMore() {
        beginNoMore();
    }

    @Override
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

    boolean isSecure() {
        return secure;
    }

    /** Tells {@code waiting} when the origin has said what it can do; not before this returns. */
    void whenSettled(Settled waiting) {
        unsettled.addLast(waiting);
        if (isSettled()) {
            loop().eventLoop().execute(this::tellSettled);
        }
    }

    private void tellSettled() {
        for (Settled next = unsettled.poll(); next != null; next = unsettled.poll()) {
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
     * A stream has waited for too long. If nothing at all has been heard on this connection in that time, it is perhaps
     * not the origin who is silent: it is not lent any more.
     *
     * @param since since when the stream has waited, in wheel time
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
            onUnfinishedReclaimed();
        }
        super.userEventTriggered(ctx, event);
    }

    @Override
    protected void onUnfinishedReclaimed() {
        for (Http2Stream stream : streams().open()) {
            stream.onReclaim();
        }
        super.onUnfinishedReclaimed();
    }

    @Override
    public void onFault(Http2Fault fault) {
        LOG.debug("an origin broke the rules of HTTP/2: {} ({})", fault.detail(), fault.error());
    }

    @Override
    protected void onLastWord(Http2Error error) {
        // An origin that does not take it is not waited for.
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
