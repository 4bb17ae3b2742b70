package dev.lychgate.pool;

import dev.lychgate.config.PoolConfig;
import dev.lychgate.loop.Deadline;
import dev.lychgate.loop.DeadlineWheel;
import dev.lychgate.origin.Http2OriginConnection;
import dev.lychgate.origin.OriginStream;
import dev.lychgate.origin.PooledConnection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The multiplexed connections of one pool. Leases streams of the oldest connection that has capacity, so that the other
 * connections can expire. A connection leases no new streams after it has expired, has reached its limit of requests,
 * or has received GOAWAY. It closes when its last stream ends.
 */
final class Multiplexed {
    private final BiConsumer<PooledConnection, CloseReason> close;
    private final PoolConfig config;
    private final DeadlineWheel wheel;
    private final ArrayDeque<Http2OriginConnection> connections = new ArrayDeque<>();
    private final Deadline idleSweep = Deadline.of(this::sweepIdle);
    private final long idleNanos;
    private final long lifetimeNanos;
    private int perConnection;

    Multiplexed(
            PoolConfig config,
            DeadlineWheel wheel,
            int perConnection,
            BiConsumer<PooledConnection, CloseReason> close) {
        this.config = config;
        this.wheel = wheel;
        this.perConnection = perConnection;
        this.close = close;
        this.idleNanos = config.idle().toNanos();
        this.lifetimeNanos = config.lifetime().toNanos();
    }

    /** Returns the number of concurrent exchanges that a new connection is expected to carry; at least 1. */
    int perConnection() {
        return perConnection;
    }

    /**
     * Records that a new connection carries one exchange at a time.
     *
     * @return whether a new connection was expected to carry more than one exchange
     */
    boolean carriesOneEach() {
        boolean more = perConnection > 1;
        perConnection = 1;
        return more;
    }

    int idle() {
        int idle = 0;
        for (Http2OriginConnection c : connections) {
            idle += c.exchanges() == 0 ? 1 : 0;
        }
        return idle;
    }

    boolean isEmpty() {
        return connections.isEmpty();
    }

    void add(Http2OriginConnection connection) {
        perConnection = Math.min(config.streams(), connection.capacity());
        connections.addLast(connection);
    }

    boolean remove(PooledConnection connection) {
        return connections.remove(connection);
    }

    /**
     * Leases a stream of a connection that has capacity. Returns null if no connection has capacity.
     *
     * @param owner receives the released lease
     */
    @Nullable
    ConnectionLease lend(ConnectionLease.Owner owner) {
        for (Http2OriginConnection c : connections) {
            perConnection = Math.min(config.streams(), c.capacity());
            if (!c.isOpen() || c.exchanges() >= config.streams()) {
                continue;
            }
            if (isTooOld(c) || hasServedAll(c)) {
                c.beginNoMore();
                continue;
            }
            boolean reused = c.use().requests() > 0;
            OriginStream stream = c.lend();
            if (stream != null) {
                return new ConnectionLease(owner, c, stream, reused);
            }
        }
        return null;
    }

    private boolean isTooOld(PooledConnection c) {
        return lifetimeNanos > 0 && wheel.now() - c.use().createdAt() >= lifetimeNanos;
    }

    private boolean hasServedAll(PooledConnection c) {
        return config.requests() > 0 && c.use().requests() >= config.requests();
    }

    /**
     * Ends the exchange of {@code stream}, and decides whether the connection stays open.
     *
     * @return the reason for closing the connection; null if the connection stays open
     */
    @Nullable
    CloseReason takeBack(PooledConnection connection, OriginStream stream, boolean retired) {
        boolean ending = !connection.giveBack(stream);
        if (connection.exchanges() > 0) {
            return null;
        }
        if (retired) {
            return CloseReason.RETIRED;
        }
        if (isTooOld(connection)) {
            return CloseReason.LIFETIME;
        }
        if (hasServedAll(connection)) {
            return CloseReason.REQUESTS;
        }
        if (ending) {
            return CloseReason.NOT_REUSABLE;
        }
        awaitIdle();
        return null;
    }

    /** Schedules the idle check for an unused connection. */
    void awaitIdle() {
        wheel.arm(idleSweep, idleNanos);
    }

    /** Returns an unused connection, which the caller closes; null if there is none. */
    @Nullable
    Http2OriginConnection unused() {
        for (Http2OriginConnection c : connections) {
            if (c.exchanges() == 0) {
                return c;
            }
        }
        return null;
    }

    /** Closes unused connections that exceeded the idle time or received GOAWAY. */
    private void sweepIdle() {
        long now = wheel.now();
        long next = Long.MAX_VALUE;
        for (Http2OriginConnection c : new ArrayList<>(connections)) {
            if (c.exchanges() == 0) {
                long left = c.use().idleSince() + idleNanos - now;
                if (left > 0 && !c.isGoingAway()) {
                    next = Math.min(next, left);
                } else {
                    close.accept(c, left > 0 ? CloseReason.ORIGIN_CLOSED : CloseReason.IDLE);
                }
            }
        }
        if (next != Long.MAX_VALUE) {
            wheel.arm(idleSweep, next);
        }
    }
}
