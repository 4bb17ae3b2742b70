package dev.lychgate.pool;

import dev.lychgate.config.PoolConfig;
import dev.lychgate.config.UpstreamProtocol;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.loop.IntrusiveList;
import dev.lychgate.loop.Loop;
import dev.lychgate.origin.ConnectionOwner;
import dev.lychgate.origin.Connector;
import dev.lychgate.origin.Http2OriginConnection;
import dev.lychgate.origin.OriginStream;
import dev.lychgate.origin.OriginTunnel;
import dev.lychgate.origin.PooledConnection;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The connection pool of one event loop for one endpoint. A request gets the most recently used idle connection (see
 * {@link IdleStack}), or a stream of a multiplexed connection (see {@link Multiplexed}). If neither is available, the
 * pool queues the request (see {@link WaitQueue}) and opens a connection if the limits permit it. A connection that
 * closes while it is idle leaves the pool immediately.
 *
 * <p>A new connection is not reserved for the request that caused the connect. Whenever a connection becomes available,
 * it serves the request that has waited longest. With the PROXY protocol, each connection is opened for one client,
 * carries one request of this client, and is then closed. Used only on the event loop of the pool.
 */
public final class ConnectionPool implements ConnectionOwner {
    private final Loop loop;
    private final PoolKey key;
    private final Permits permits;
    private final WaitQueue waiting;
    private final ConnectionOpener opener;
    private final IdleStack idle;
    private final Multiplexed shared;
    private final Map<CloseReason, Long> closed = new EnumMap<>(CloseReason.class);
    /** Leases that are not yet released, in the order of their last check by {@link Reclaim}, least recent first. */
    private final IntrusiveList<ConnectionLease> lent = new IntrusiveList<>();

    private final Reclaim reclaim;
    private final ConnectionLease.Owner exclusively = new Exclusively();
    private final ConnectionLease.Owner byStreams = new ByStreams();

    /** A single instance, which avoids an allocation per offer of an idle connection. */
    private final BooleanSupplier giveUp = this::giveUpOne;

    /** True if each connection is opened for one client. */
    private final boolean announced;

    private long reused;
    private boolean retired;

    ConnectionPool(Loop loop, PoolKey key, Connector connector, Permits permits, Permits queuePlaces) {
        PoolConfig config = key.config();
        this.loop = loop;
        this.key = key;
        this.permits = permits;
        this.announced = key.destination().announcement() != null;
        int perConnection = config.protocol() == UpstreamProtocol.H2 ? config.streams() : 1;
        this.waiting = new WaitQueue(loop.deadlines(), queuePlaces, this::expected, announced);
        this.idle = new IdleStack(config, loop.deadlines(), announced, this::close);
        this.shared = new Multiplexed(config, loop.deadlines(), perConnection, this::close);
        this.reclaim = new Reclaim(loop, lent, config.reclaim().toNanos(), waiting::lacking);
        this.opener = new ConnectionOpener(key, connector, permits, waiting, reclaim, this);
    }

    public PoolKey key() {
        return key;
    }

    // ---- acquire

    /**
     * Leases the most recently used idle connection, or a stream of a multiplexed connection; null if neither is
     * available.
     */
    public @Nullable ConnectionLease tryAcquire() {
        assert loop.inLoop();
        PooledConnection newest = idle.popUsable();
        if (newest != null) {
            reused++;
            return lease(newest, true);
        }
        return shared.isEmpty() ? null : stream();
    }

    private ConnectionLease lease(PooledConnection connection, boolean used) {
        OriginStream stream = Objects.requireNonNull(connection.lend());
        return lend(new ConnectionLease(exclusively, connection, stream, used));
    }

    private @Nullable ConnectionLease stream() {
        ConnectionLease lease = shared.lend(byStreams);
        if (lease == null) {
            return null;
        }
        reused += lease.isReused() ? 1 : 0;
        return lend(lease);
    }

    private ConnectionLease lend(ConnectionLease lease) {
        lent.add(lease);
        reclaim.lent();
        return lease;
    }

    /**
     * Queues a request for which no idle connection is available or permitted. Opens a connection if the limits permit
     * it.
     *
     * @param acquire the maximum wait for a connection, in nanoseconds
     * @param connect the maximum duration of a connect, in nanoseconds
     * @param freshOnly whether the request requires a connection that has carried no request
     * @return the place in the queue, or null if the listener has already been notified
     */
    public @Nullable PendingAcquire acquire(long acquire, long connect, boolean freshOnly, AcquireListener listener) {
        assert loop.inLoop();
        opener.timeout(connect);
        ConnectionLease stream = shared.isEmpty() ? null : stream();
        if (stream != null) {
            // A stream is allowed even if freshOnly is true, because the failed attempt used another connection.
            listener.onLease(stream);
            return null;
        }
        boolean underWay = !announced && expected() > waiting.size();
        boolean mayOpen = !underWay && permits.tryAcquire();
        // A request that a connect in progress will serve does not delay other requests, so it needs no place in the
        // queue.
        boolean queued = !underWay && !mayOpen;
        if (queued && !waiting.takePlace()) {
            listener.onAcquireFailed(GatewayError.local(
                    ErrorKind.POOL_EXHAUSTED, "too many requests wait for a connection to the upstream"));
            return null;
        }
        PendingAcquire place = waiting.add(freshOnly, listener, acquire);
        if (mayOpen) {
            opener.open();
        } else if (queued) {
            opener.awaitPermit();
        }
        return place;
    }

    /** Returns the number of waiting requests that the connects in progress will serve. */
    private int expected() {
        return opener.underWay() * shared.perConnection();
    }

    /**
     * Handles a new connection that carries one exchange at a time.
     *
     * @param whose the only request that may use the connection; null for the request that has waited longest
     */
    void onConnected(PooledConnection connection, @Nullable PendingAcquire whose) {
        if (whose == null) {
            lendOrKeep(connection);
            if (shared.carriesOneEach()) {
                // The pool assumed that the origin multiplexes, but it does not, so the waiting requests need more
                // connections.
                opener.openForPending();
            }
        } else if (waiting.take(whose)) {
            whose.give(lease(connection, false));
        } else {
            close(connection, CloseReason.NOT_REUSABLE);
        }
    }

    void onMultiplexed(Http2OriginConnection connection) {
        connection.whenRoom(this::servePending);
        shared.add(connection);
        servePending();
        if (connection.exchanges() > 0) {
            return;
        }
        // The request for which the connection was opened may have been cancelled.
        if (retired) {
            close(connection, CloseReason.RETIRED);
        } else {
            shared.awaitIdle();
            offer();
        }
    }

    // ---- release

    /** The owner of leases of exclusive connections. An exclusive connection carries one exchange at a time. */
    private final class Exclusively implements ConnectionLease.Owner {
        @Override
        public void takeBack(ConnectionLease lease) {
            assert loop.inLoop();
            lent.remove(lease);
            PooledConnection connection = lease.connection;
            CloseReason over = idle.takeBack(connection, lease.stream(), retired);
            if (over == null) {
                lendOrKeep(connection);
            } else {
                close(connection, over);
            }
        }

        /** Removes the connection from the pool, so that its permit becomes free. */
        @Override
        public OriginTunnel keep(ConnectionLease lease) {
            assert loop.inLoop();
            lent.remove(lease);
            count(CloseReason.UPGRADED);
            PooledConnection connection = lease.connection;
            OriginTunnel kept = connection.keep(lease.stream(), () -> {});
            onConnectionClosed(connection);
            return kept;
        }
    }

    private final class ByStreams implements ConnectionLease.Owner {
        @Override
        public void takeBack(ConnectionLease lease) {
            assert loop.inLoop();
            lent.remove(lease);
            PooledConnection connection = lease.connection;
            CloseReason over = shared.takeBack(connection, lease.stream(), retired);
            if (over != null) {
                close(connection, over);
                return;
            }
            servePending();
            if (connection.exchanges() == 0) {
                offer();
            }
        }

        @Override
        public OriginTunnel keep(ConnectionLease lease) {
            return lease.connection.keep(lease.stream(), () -> takeBack(lease));
        }
    }

    /** Serves waiting requests from multiplexed connections with capacity. */
    private void servePending() {
        while (!waiting.isEmpty()) {
            ConnectionLease lease = stream();
            PendingAcquire first = lease == null ? null : waiting.poll(true);
            if (lease == null || first == null) {
                opener.openForPending();
                return;
            }
            first.give(lease);
        }
    }

    private void lendOrKeep(PooledConnection connection) {
        boolean fresh = connection.use().requests() == 0;
        PendingAcquire first = waiting.poll(fresh);
        if (first != null) {
            if (!fresh) {
                reused++;
            }
            first.give(lease(connection, !fresh));
        } else if (retired) {
            close(connection, CloseReason.RETIRED);
        } else if (expected() < waiting.size()) {
            // The waiting request requires a fresh connection and cannot use this one.
            close(connection, CloseReason.CONTENDED);
        } else {
            idle.push(connection);
            offer();
        }
    }

    /** Offers the permit of an idle connection to other event loops. */
    private void offer() {
        permits.offer(giveUp);
        if (permits.isContended()) {
            giveUpOne();
        }
    }

    /**
     * Closes an idle connection, because another loop waits for its permit.
     *
     * @return whether there was an idle connection
     */
    private boolean giveUpOne() {
        PooledConnection oldest = idle.isEmpty() ? shared.unused() : idle.pollOldest();
        if (oldest == null) {
            return false;
        }
        close(oldest, CloseReason.CONTENDED);
        if (!idle.isEmpty() || shared.unused() != null) {
            permits.offer(giveUp);
        }
        return true;
    }

    // ---- close

    private void close(PooledConnection connection, CloseReason reason) {
        count(reason);
        shared.remove(connection);
        connection.close();
    }

    private void count(CloseReason reason) {
        closed.merge(reason, 1L, Long::sum);
    }

    @Override
    public void onConnectionClosed(PooledConnection connection) {
        permits.release();
        if (idle.remove(connection) || shared.remove(connection)) {
            count(CloseReason.ORIGIN_CLOSED);
        }
        opener.openForPending();
    }

    /** Retires the pool: closes idle connections now, and each leased connection when it is released. */
    public void retire() {
        retired = true;
        for (PooledConnection c = idle.pop(); c != null; c = idle.pop()) {
            close(c, CloseReason.RETIRED);
        }
        for (PooledConnection c = shared.unused(); c != null; c = shared.unused()) {
            close(c, CloseReason.RETIRED);
        }
    }

    /**
     * Ends the retirement of the pool, because the latest generation contains its endpoint. The pool keeps connections
     * again.
     */
    void revive() {
        retired = false;
    }

    /** Returns whether the pool is retired and has no connections and no waiting requests. */
    boolean isSpent() {
        return retired
                && lent.size() == 0
                && opener.underWay() == 0
                && waiting.isEmpty()
                && idle.isEmpty()
                && shared.isEmpty();
    }

    /** Returns the counters and current sizes of this pool. */
    public PoolCounters counters() {
        return new PoolCounters(
                opener.opened(),
                opener.failures(),
                reused,
                idle.size() + shared.idle(),
                lent.size(),
                opener.underWay(),
                waiting.size(),
                reclaim.reclaimed(),
                closed);
    }
}
