package dev.lychgate.exchange.tunnel;

import dev.lychgate.codec.CloseFrame;
import dev.lychgate.codec.FrameTracker;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Side;
import dev.lychgate.exchange.attempt.GrantedTunnel;
import dev.lychgate.exchange.state.Downstream;
import dev.lychgate.exchange.state.TunnelEnd;
import dev.lychgate.generation.WebSocketPolicy;
import dev.lychgate.loop.Deadline;
import dev.lychgate.loop.DeadlineWheel;
import dev.lychgate.loop.Loop;
import dev.lychgate.origin.OriginStream;
import dev.lychgate.origin.OriginTunnel;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An exchange whose answer was a tunnel: the bytes of a WebSocket, as they come, in both directions, each with the other
 * side's backpressure. Nothing is read into them but where frames end, and that only so that the gateway can end the
 * WebSocket itself, when its time is over, with close frames to both sides that stand between frames.
 *
 * <p>It is its own deadline: first of its idle time and its lifetime, then of its ending. Lives on the exchange's loop.
 */
public final class Tunnel extends Deadline {
    /** How long an end of ours may take: the rest of frames that are under way, and the other sides' close frames. */
    private static final long ENDS_WITHIN = TimeUnit.SECONDS.toNanos(2);
    /** How often the bytes that wait for a stalled origin are sampled within the write timeout. */
    private static final int SAMPLES = 16;

    private static final long SHORTEST_SAMPLE = TimeUnit.MILLISECONDS.toNanos(100);

    private final TunnelOwner owner;
    private final Loop loop;
    private final Downstream downstream;
    private final OriginStream origin;
    private final OriginTunnel connection;
    private final DeadlineWheel wheel;
    private final FrameTracker fromClient = new FrameTracker();
    private final FrameTracker fromOrigin = new FrameTracker();
    private final long idle;
    /** When its lifetime is over, in wheel time; {@link Long#MAX_VALUE} if it has no limit. */
    private final long endsAt;

    private final long writeTimeout;
    private long lastByte;
    /** Bytes that waited for the origin at the last sample; 0 while it reads. */
    private long unsent;
    /** When {@link #unsent} changed last, in wheel time. */
    private long originProgressedAt;

    /** Who ended its direction first, without a close frame, while the other one goes on; null as long as both do. */
    private @Nullable TunnelEnd firstEnd;
    /** Why it ends by our own will; null as long as it does not. */
    private @Nullable TunnelEnd ending;

    private @Nullable TunnelEnd firstClose;
    private boolean clientTold;
    private boolean originTold;

    public Tunnel(TunnelOwner owner, Loop loop, Downstream downstream, GrantedTunnel granted, WebSocketPolicy policy) {
        this.owner = owner;
        this.loop = loop;
        this.downstream = downstream;
        this.origin = granted.stream();
        this.connection = granted.connection();
        this.wheel = loop.deadlines();
        this.idle = policy.idle();
        this.writeTimeout = downstream.writeTimeout();
        this.lastByte = loop.nanoTime();
        this.endsAt = policy.lifetime() > 0 ? lastByte + policy.lifetime() : Long.MAX_VALUE;
        arm();
    }

    // ---- bytes

    /** The client has sent {@code piece}; it is owned here. */
    public void fromClient(ByteBuf piece) {
        lastByte = wheel.now();
        if (ending != null) {
            lastOfClient(piece);
            return;
        }
        fromClient.pass(piece);
        if (firstClose == null && fromClient.isClosed()) {
            firstClose = TunnelEnd.CLIENT_CLOSED;
        }
        toOrigin(piece);
        if (!origin.isWritable()) {
            // An end of the client's connection may be behind bytes that are not read now.
            sampleUnsent(lastByte);
            arm();
        }
    }

    private void toOrigin(ByteBuf piece) {
        origin.sendBody(piece);
        if (!origin.isWritable()) {
            downstream.pauseReading();
        }
    }

    /** The origin has sent {@code piece}; it is owned here. */
    public void fromOrigin(ByteBuf piece) {
        lastByte = wheel.now();
        if (ending != null) {
            lastOfOrigin(piece);
            return;
        }
        fromOrigin.pass(piece);
        if (firstClose == null && fromOrigin.isClosed()) {
            firstClose = TunnelEnd.ORIGIN_CLOSED;
        }
        toClient(piece);
    }

    private void toClient(ByteBuf piece) {
        owner.writeTunnel(piece);
        if (!downstream.isWritable()) {
            origin.pauseReading();
        }
    }

    // ---- one direction ends before the other, where the connections on both sides can do that

    /** The client sends no more. */
    public void endOfClient() {
        if (firstEnd != null || ending != null || !connection.isOpen() || !connection.endsByHalves()) {
            owner.finishTunnel();
            return;
        }
        firstEnd = TunnelEnd.CLIENT_GONE;
        origin.sendEnd(EmptyHttpHeaders.INSTANCE);
        origin.flush();
    }

    /** The origin sends no more. */
    public void endOfOrigin() {
        if (firstEnd != null || ending != null || !connection.isOpen() || !downstream.endsByHalves()) {
            owner.finishTunnel();
            return;
        }
        firstEnd = TunnelEnd.ORIGIN_GONE;
        downstream.writeEnd(EmptyHttpHeaders.INSTANCE);
        downstream.flush();
    }

    /** The client's side was reset: so is the origin's, unless somebody has said by a close frame that all is in order. */
    public void resetOrigin() {
        if (!isClosing()) {
            connection.reset();
        }
    }

    // ---- ends of ours

    /** Ends the WebSocket in order, by close frames to both sides, within a short time. */
    public void end(TunnelEnd why) {
        if (ending != null) {
            return;
        }
        ending = why;
        wheel.arm(this, ENDS_WITHIN);
        if (fromOrigin.isBetweenFrames()) {
            tellClient();
        }
        if (fromClient.isBetweenFrames()) {
            tellOrigin();
        }
        finishIfClosed();
    }

    /** The rest of the frame that is under way goes on; behind it nothing but our close frame does. */
    private void lastOfClient(ByteBuf piece) {
        if (!originTold) {
            toOrigin(piece.readRetainedSlice(fromClient.passFrame(piece)));
            if (fromClient.isBetweenFrames()) {
                tellOrigin();
            }
        }
        fromClient.pass(piece);
        piece.release();
        finishIfClosed();
    }

    /** As {@link #lastOfClient}. */
    private void lastOfOrigin(ByteBuf piece) {
        if (!clientTold) {
            toClient(piece.readRetainedSlice(fromOrigin.passFrame(piece)));
            if (fromOrigin.isBetweenFrames()) {
                tellClient();
            }
        }
        fromOrigin.pass(piece);
        piece.release();
        finishIfClosed();
    }

    private void tellClient() {
        clientTold = true;
        if (!fromOrigin.isClosed()) {
            owner.writeTunnel(CloseFrame.toClient());
        }
        downstream.flush();
        // What it still sends is only looked at: nobody need be slow for it.
        origin.resumeReading();
    }

    private void tellOrigin() {
        originTold = true;
        if (!fromClient.isClosed()) {
            int mask = loop.random().nextInt();
            origin.sendBody(CloseFrame.toOrigin(mask));
        }
        origin.flush();
        downstream.resumeReading();
    }

    private void finishIfClosed() {
        if (clientTold && originTold && fromClient.isClosed() && fromOrigin.isClosed()) {
            owner.finishTunnel();
        }
    }

    @Override
    protected void onDeadline() {
        long now = wheel.now();
        if (ending != null) {
            owner.finishTunnel();
        } else if (now >= endsAt) {
            end(TunnelEnd.LIFETIME);
        } else if (idle > 0 && now - lastByte >= idle) {
            end(TunnelEnd.IDLE);
        } else if (isOriginStalled(now)) {
            end(TunnelEnd.ORIGIN_GONE);
        } else {
            arm();
        }
    }

    /** Returns whether the origin has read nothing of the bytes that wait for it within the write timeout. */
    private boolean isOriginStalled(long now) {
        sampleUnsent(now);
        return unsent > 0 && now - originProgressedAt >= writeTimeout;
    }

    private void sampleUnsent(long now) {
        long before = unsent;
        unsent = origin.isWritable() ? 0 : connection.unsent();
        if (unsent != before) {
            originProgressedAt = now;
        }
    }

    private void arm() {
        long now = wheel.now();
        long next = idle == 0 ? Long.MAX_VALUE : idle - (now - lastByte);
        if (unsent > 0) {
            next = Math.min(next, Math.max(SHORTEST_SAMPLE, writeTimeout / SAMPLES));
        }
        if (endsAt != Long.MAX_VALUE) {
            next = Math.min(next, endsAt - now);
        }
        if (next != Long.MAX_VALUE) {
            wheel.arm(this, next);
        }
    }

    // ---- the end

    /**
     * The exchange is over: nothing is told here any more.
     *
     * @param error what it ended with; null if by the end of a connection
     * @param ofClient whether it was the client's connection that ended
     * @return why the WebSocket ended
     */
    public TunnelEnd close(@Nullable GatewayError error, boolean ofClient) {
        wheel.remove(this);
        if (ending != null) {
            return ending;
        }
        if (error != null && error.side() == Side.LOCAL) {
            return TunnelEnd.DRAIN;
        }
        if (firstClose != null) {
            return firstClose;
        }
        if (firstEnd != null) {
            return firstEnd;
        }
        return ofClient ? TunnelEnd.CLIENT_GONE : TunnelEnd.ORIGIN_GONE;
    }

    /** Whether it is in order that a connection ends: somebody has said so by a close frame. */
    public boolean isClosing() {
        return ending != null || firstClose != null;
    }
}
