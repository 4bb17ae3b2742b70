package dev.lychgate.pool;

import dev.lychgate.config.PoolConfig;
import dev.lychgate.loop.Deadline;
import dev.lychgate.loop.DeadlineWheel;
import dev.lychgate.origin.Http2OriginConnection;
import dev.lychgate.origin.OriginStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one pool that carry several exchanges at once. Lends streams of the oldest that has room, so that the
 * others can age out; one that is too old, has carried enough or is left by its origin lends nothing more, and closes when
 * its last stream is over.
 */
final class Multiplexed {
    private final ConnectionPool pool;
    private final PoolConfig config;
    private final DeadlineWheel wheel;
    private final ArrayDeque<Http2OriginConnection> connections = new ArrayDeque<>();
    private final IdleSweep idleSweep = new IdleSweep();
    private final long idleNanos;
    private final long lifetimeNanos;
    private int perConnection;

    Multiplexed(ConnectionPool pool, PoolConfig config, DeadlineWheel wheel, int perConnection) {
        this.pool = pool;
        this.config = config;
        this.wheel = wheel;
        this.perConnection = perConnection;
        this.idleNanos = config.idle().toNanos();
        this.lifetimeNanos = config.lifetime().toNanos();
    }

    /** How many exchanges a new connection is going to carry, as far as can be known beforehand; at least 1. */
    int perConnection() {
        return perConnection;
    }

    /** A new connection has turned out to carry one exchange at a time. @return whether more was expected of it */
    boolean carriesOneEach() {
        boolean more = perConnection > 1;
        perConnection = 1;
        return more;
    }

    /** How many connections nobody uses. */
    int idle() {
        int idle = 0;
        for (Http2OriginConnection c : connections) {
            idle += c.lent() == 0 ? 1 : 0;
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

    /** @return whether it was one of these */
    boolean remove(Http2OriginConnection connection) {
        return connections.remove(connection);
    }

    /** A stream of a connection that has room for one; null if none has. */
    @Nullable
    ConnectionLease lend() {
        for (Http2OriginConnection c : connections) {
            perConnection = Math.min(config.streams(), c.capacity());
            if (!c.isOpen() || c.lent() >= config.streams()) {
                continue;
            }
            if (isTooOld(c)) {
                c.lendNoMore();
                continue;
            }
            boolean reused = c.requests() > 0;
            OriginStream stream = c.lend();
            if (stream != null) {
                return new ConnectionLease(pool, c, stream, reused);
            }
        }
        return null;
    }

    private boolean isTooOld(Http2OriginConnection c) {
        return (lifetimeNanos > 0 && wheel.now() - c.createdAt() >= lifetimeNanos)
                || (config.requests() > 0 && c.requests() >= config.requests());
    }

    /** A stream is given back. @return why its connection is to be closed; null if it is not */
    @Nullable
    CloseReason takeBack(Http2OriginConnection connection, OriginStream stream, boolean retired) {
        connection.giveBack(stream);
        if (connection.lent() > 0) {
            return null;
        }
        if (retired) {
            return CloseReason.RETIRED;
        }
        if (connection.isEnding() || isTooOld(connection)) {
            return CloseReason.LIFETIME;
        }
        awaitIdle();
        return null;
    }

    /** There is one that nobody uses. */
    void awaitIdle() {
        wheel.arm(idleSweep, idleNanos);
    }

    /** One that nobody uses, to be closed; null if there is none. */
    @Nullable
    Http2OriginConnection unused() {
        for (Http2OriginConnection c : connections) {
            if (c.lent() == 0) {
                return c;
            }
        }
        return null;
    }

    /** Closes what has been idle for too long, or was left by its origin. */
    private final class IdleSweep extends Deadline {
        @Override
        protected void onDeadline() {
            long now = wheel.now();
            long next = Long.MAX_VALUE;
            for (Http2OriginConnection c : new ArrayList<>(connections)) {
                if (c.lent() == 0) {
                    long left = c.idleSince() + idleNanos - now;
                    if (left > 0 && !c.isEnding()) {
                        next = Math.min(next, left);
                    } else {
                        pool.close(c, CloseReason.IDLE);
                    }
                }
            }
            if (next != Long.MAX_VALUE) {
                wheel.arm(this, next);
            }
        }
    }
}
