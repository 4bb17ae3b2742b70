package dev.lychgate.exchange.tunnel;

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
 * The WebSocket of an exchange with a response that granted a tunnel. Relays bytes in both directions, each with the other
 * side's backpressure. Parses only frame boundaries, so that the gateway can send close frames between frames.
 *
 * <p>Acts as its own deadline: for idle time and lifetime, then for the closing handshake. Used on the exchange's event
 * loop.
 */
public final class Tunnel extends Deadline {
    /** Limit of a close by the gateway: the rest of the current frames, then the close frames of both sides. */
    private static final long ENDS_WITHIN = TimeUnit.SECONDS.toNanos(2);
    /** Samples of the bytes queued for a stalled origin within the write timeout. */
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
    /** End of the lifetime, in wheel time; {@link Long#MAX_VALUE} without a limit. */
    private final long endsAt;

    private final long writeTimeout;
    private long lastByte;
    /** Bytes queued for the origin at the last sample; 0 while the origin is writable. */
    private long unsent;
    /** Time of the last change of {@link #unsent}, in wheel time. */
    private long originProgressedAt;

    /** The side that ended its direction first, without a close frame; null while both directions are open. */
    private @Nullable TunnelEnd firstEnd;
    /** Reason why the gateway closes the tunnel; null while it does not. */
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

    /** Relays a chunk from the client. Owns {@code piece}. */
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
            // Without samples, unread bytes could hide that the client has closed its connection.
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

    /** Relays a chunk from the origin. Owns {@code piece}. */
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

    // ---- half-close, if the connections on both sides support it

    /** Called when the client ends its direction. */
    public void endOfClient() {
        if (firstEnd != null || ending != null || !connection.isOpen() || !connection.endsByHalves()) {
            owner.finishTunnel();
            return;
        }
        firstEnd = TunnelEnd.CLIENT_GONE;
        origin.sendEnd(EmptyHttpHeaders.INSTANCE);
        origin.flush();
    }

    /** Called when the origin ends its direction. */
    public void endOfOrigin() {
        if (firstEnd != null || ending != null || !connection.isOpen() || !downstream.endsByHalves()) {
            owner.finishTunnel();
            return;
        }
        firstEnd = TunnelEnd.ORIGIN_GONE;
        downstream.writeEnd(EmptyHttpHeaders.INSTANCE);
        downstream.flush();
    }

    /** Resets the origin's side after a reset by the client, unless a close frame has announced the end. */
    public void resetOrigin() {
        if (!isClosing()) {
            connection.reset();
        }
    }

    // ---- close by the gateway

    /** Closes the WebSocket with close frames to both sides, within a short time. */
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

    /** Relays the rest of the current frame, then the gateway's close frame; discards further bytes. */
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

    /** Same as {@link #lastOfClient}, for the origin. */
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
        // Later bytes of the origin are only parsed for its close frame, so the client's backpressure does not apply.
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

    /** Returns whether the origin has read none of the bytes queued for it within the write timeout. */
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
     * Removes the deadline and returns why the WebSocket ended. The tunnel receives no further events.
     *
     * @param error failure of the exchange; null if a connection ended
     * @param ofClient whether that connection was the client's
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

    /** Returns whether a close frame of either side, or the gateway, has announced the end. */
    public boolean isClosing() {
        return ending != null || firstClose != null;
    }
}
