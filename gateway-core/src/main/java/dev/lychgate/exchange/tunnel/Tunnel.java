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
 * The WebSocket of an exchange. A tunnel relays bytes in both directions, with backpressure from the receiving side.
 * The tunnel parses nothing but frame boundaries. At these boundaries, the gateway can insert its close frames.
 *
 * <p>The tunnel is a {@link Deadline}, which limits its idle time and its lifetime. Once the gateway has begun to close
 * the tunnel, the deadline limits the closing handshake instead. Used on the exchange's event loop.
 */
public final class Tunnel extends Deadline {
    /**
     * The maximum duration, in nanoseconds, of a close by the gateway. The close includes the rest of the current
     * frames, and the wait for the close frames of the client and of the origin.
     */
    private static final long ENDS_WITHIN = TimeUnit.SECONDS.toNanos(2);
    /**
     * During one write timeout, the tunnel takes this number of samples of the bytes that are queued for a slow origin.
     */
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
    /**
     * The time, on the clock of the deadline wheel, at which the tunnel's lifetime ends; {@link Long#MAX_VALUE} without
     * a limit.
     */
    private final long endsAt;

    private final long writeTimeout;
    private long lastByte;
    /** The number of bytes that were queued for the origin at the last sample; 0 if the origin was writable. */
    private long unsent;
    /** The time, on the clock of the deadline wheel, at which {@link #unsent} last changed. */
    private long originProgressedAt;

    /**
     * The reason for the end of the tunnel after one side has ended its direction; null while both directions are open.
     */
    private @Nullable TunnelEnd firstEnd;
    /** The reason why the gateway closes the tunnel; null until the gateway closes the tunnel. */
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

    /** Relays a chunk from the client. This method owns {@code piece}. */
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
            // Samples detect a stalled origin. Without samples, the tunnel might never end: while the origin stalls,
            // reading from the client is paused, so a close by the client is not detected.
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

    /** Relays a chunk from the origin. This method owns {@code piece}. */
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

    // ---- half-close

    /**
     * Called when the client ends its direction. If the origin's connection does not support half-close, the tunnel
     * ends.
     */
    public void endOfClient() {
        if (firstEnd != null || ending != null || !connection.isOpen() || !connection.endsByHalves()) {
            owner.finishTunnel();
            return;
        }
        firstEnd = TunnelEnd.CLIENT_GONE;
        origin.sendEnd(EmptyHttpHeaders.INSTANCE);
        origin.flush();
    }

    /**
     * Called when the origin ends its direction. If the client's connection does not support half-close, the tunnel
     * ends.
     */
    public void endOfOrigin() {
        if (firstEnd != null || ending != null || !connection.isOpen() || !downstream.endsByHalves()) {
            owner.finishTunnel();
            return;
        }
        firstEnd = TunnelEnd.ORIGIN_GONE;
        downstream.writeEnd(EmptyHttpHeaders.INSTANCE);
        downstream.flush();
    }

    /**
     * Resets the origin's side, because the client has reset its side. Has no effect if either side has already sent a
     * close frame.
     */
    public void resetOrigin() {
        if (!isClosing()) {
            connection.reset();
        }
    }

    // ---- close by the gateway

    /**
     * Closes the WebSocket: sends close frames to the client and to the origin, and waits at most 2 seconds for their
     * close frames.
     */
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

    /**
     * Handles bytes from the client after the gateway has begun to close: relays the rest of the current frame, then
     * sends the gateway's close frame to the origin, and discards later bytes.
     */
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

    /** Handles bytes from the origin after the gateway has begun to close, in the same way as {@link #lastOfClient}. */
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
        // Later bytes from the origin are not relayed. They are parsed only to find the close frame, so backpressure
        // from the client does not apply.
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

    /** Returns whether the origin has read no queued bytes for the duration of the write timeout. */
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
     * Ends the tunnel and returns the reason. The tunnel receives no events after this call.
     *
     * @param error the failure of the exchange; null if the exchange has not failed
     * @param ofClient whether the client's connection has ended
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

    /** Returns whether the gateway, or a close frame from either side, has announced the end of the tunnel. */
    public boolean isClosing() {
        return ending != null || firstClose != null;
    }
}
