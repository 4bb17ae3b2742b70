package dev.lychgate.pool;

import dev.lychgate.config.PoolConfig;
import dev.lychgate.loop.Deadline;
import dev.lychgate.loop.DeadlineWheel;
import dev.lychgate.origin.OriginStream;
import dev.lychgate.origin.PooledConnection;
import java.util.ArrayDeque;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The idle connections of one pool that carry one exchange at a time. The most recently used connection is leased
 * first: the origin is least likely to have closed this connection, and the other connections can expire. Used on the
 * event loop of the pool.
 */
final class IdleStack extends Deadline {
    private final DeadlineWheel wheel;
    private final BiConsumer<PooledConnection, CloseReason> close;
    private final ArrayDeque<PooledConnection> connections = new ArrayDeque<>();
    private final long idleNanos;
    private final long lifetimeNanos;
    /** Limit of requests per connection; 0 for no limit. */
    private final int requests;

    /**
     * Creates an empty stack.
     *
     * @param close closes a connection that has left the stack
     * @param announced whether the PROXY protocol is used, so that each connection is opened for one client and carries
     *     only one request
     */
    IdleStack(
            PoolConfig config,
            DeadlineWheel wheel,
            boolean announced,
            BiConsumer<PooledConnection, CloseReason> close) {
        this.wheel = wheel;
        this.close = close;
        this.idleNanos = config.idle().toNanos();
        this.lifetimeNanos = config.lifetime().toNanos();
        this.requests = announced ? 1 : config.requests();
    }

    int size() {
        return connections.size();
    }

    boolean isEmpty() {
        return connections.isEmpty();
    }

    void push(PooledConnection connection) {
        connections.addLast(connection);
        if (connections.size() == 1) {
            wheel.arm(this, idleNanos);
        }
    }

    @Nullable
    PooledConnection pop() {
        return connections.pollLast();
    }

    /**
     * Removes and returns the most recently used connection that is open and has not expired; null if there is none.
     * Closes unusable connections.
     */
    @Nullable
    PooledConnection popUsable() {
        for (PooledConnection c = pop(); c != null; c = pop()) {
            if (!c.isOpen()) {
                // The connection has just closed, and the notification of its owner will follow.
                close.accept(c, CloseReason.ORIGIN_CLOSED);
            } else if (isTooOld(c)) {
                close.accept(c, CloseReason.LIFETIME);
            } else {
                return c;
            }
        }
        return null;
    }

    /**
     * Ends the exchange of {@code stream}, and decides whether the connection stays open.
     *
     * @return the reason for closing the connection; null if the connection may carry another exchange
     */
    @Nullable
    CloseReason takeBack(PooledConnection connection, OriginStream stream, boolean retired) {
        if (!connection.giveBack(stream)) {
            return CloseReason.NOT_REUSABLE;
        }
        if (retired) {
            return CloseReason.RETIRED;
        }
        if (isTooOld(connection)) {
            return CloseReason.LIFETIME;
        }
        return requests > 0 && connection.use().requests() >= requests ? CloseReason.REQUESTS : null;
    }

    private boolean isTooOld(PooledConnection connection) {
        return lifetimeNanos > 0 && wheel.now() - connection.use().createdAt() >= lifetimeNanos;
    }

    @Nullable
    PooledConnection pollOldest() {
        return connections.pollFirst();
    }

    /**
     * Removes a connection that has been closed.
     *
     * @return whether the connection was idle
     */
    boolean remove(PooledConnection connection) {
        return connections.remove(connection);
    }

    /**
     * Closes connections that have exceeded the idle time. The connections that have been idle longest are at the
     * bottom.
     */
    @Override
    protected void onDeadline() {
        long now = wheel.now();
        for (PooledConnection c = connections.peekFirst(); c != null; c = connections.peekFirst()) {
            long left = c.use().idleSince() + idleNanos - now;
            if (left > 0) {
                wheel.arm(this, left);
                return;
            }
            connections.pollFirst();
            close.accept(c, CloseReason.IDLE);
        }
    }
}
