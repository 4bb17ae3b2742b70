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
 * The connections of one event loop to one endpoint. Lends the one that was used last (see {@link IdleStack}) or a stream of
 * one that carries several ({@link Multiplexed}), else opens a new one, else lets the request wait in a bounded queue ({@link
 * WaitQueue}). A connection that closes while it is idle leaves at once.
 *
 * <p>A connect is started for a waiting request but not tied to it: whichever connection comes free first serves the request
 * that has waited for longest. Where connections are announced by the PROXY protocol it is otherwise: each is opened for one
 * client, carries one of its requests and is closed. Used on its event loop only.
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
    /** The leases that have not been given back, those that were looked at longest ago first. */
    private final IntrusiveList<ConnectionLease> lent = new IntrusiveList<>();

    private final Reclaim reclaim;
    private final ConnectionLease.Owner exclusively = new Exclusively();
    private final ConnectionLease.Owner byStreams = new ByStreams();

    /** One for all offers: keeping a connection must not cost an object. */
    private final BooleanSupplier giveUp = this::giveUpOne;

    /** Whether each connection is for one client. */
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

    // ---- acquiring

    /** Lends an idle connection, newest first, or a stream of one that carries several; null if there is none. */
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
     * Waits for a connection, an idle one not being at hand, or not being wanted: a connection is opened if the limits
     * allow it.
     *
     * @param acquire longest wait, in nanoseconds
     * @param connect longest connect, in nanoseconds
     * @param freshOnly whether only a connection that has carried nothing yet will do
     * @return the place in the queue, or null if the listener has been told already
     */
    public @Nullable PendingAcquire acquire(long acquire, long connect, boolean freshOnly, AcquireListener listener) {
        assert loop.inLoop();
        opener.timeout(connect);
        ConnectionLease stream = shared.isEmpty() ? null : stream();
        if (stream != null) {
            // There may be several behind a connection that is not fresh; what was lost was lost with another one.
            listener.onLease(stream);
            return null;
        }
        boolean underWay = !announced && expected() > waiting.size();
        boolean mayOpen = !underWay && permits.tryAcquire();
        // A request that an opening connection will serve delays no other: the queue bounds the rest.
        boolean queued = !underWay && !mayOpen;
        if (queued && !waiting.takePlace()) {
            listener.onAcquireFailed(
                    GatewayError.local(ErrorKind.POOL_EXHAUSTED, "too many requests wait for the upstream"));
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

    /** How many of the requests that wait the connections that are being opened are going to serve. */
    private int expected() {
        return opener.underWay() * shared.perConnection();
    }

    /**
     * A connection is there that carries one exchange at a time.
     *
     * @param whose the only request that may use it; null = any, and the one that has waited for longest first
     */
    void onConnected(PooledConnection connection, @Nullable PendingAcquire whose) {
        if (whose == null) {
            lendOrKeep(connection);
            if (shared.carriesOneEach()) {
                // More was expected: several requests wait for a connection that carries one at a time.
                opener.openForPending();
            }
        } else if (waiting.take(whose)) {
            whose.give(lease(connection, false));
        } else {
            close(connection, CloseReason.NOT_REUSABLE);
        }
    }

    /** A connection is there that carries several exchanges. */
    void onMultiplexed(Http2OriginConnection connection) {
        connection.whenRoom(this::servePending);
        shared.add(connection);
        servePending();
        if (connection.exchanges() > 0) {
            return;
        }
        // The request that it was opened for may have left.
        if (retired) {
            close(connection, CloseReason.RETIRED);
        } else {
            shared.awaitIdle();
            offer();
        }
    }

    // ---- taking back

    /** Leases of connections that carry one exchange at a time. */
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

        /** The place of the connection in the pool is free. */
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

    /** Leases of streams of connections that carry several. */
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

    /** There may be room on connections that carry several exchanges. */
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
            // A request waits that can't use this one, for it needs a fresh connection.
            close(connection, CloseReason.CONTENDED);
        } else {
            idle.push(connection);
            offer();
        }
    }

    /** A connection is idle: another loop may need its permit. */
    private void offer() {
        permits.offer(giveUp);
        if (permits.isContended()) {
            giveUpOne();
        }
    }

    /** Closes an idle connection, because another loop waits for its permit. @return whether there was one */
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

    // ---- closing

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

    /** Keeps nothing from now on: idle connections close now, lent ones when they come back. */
    public void retire() {
        retired = true;
        for (PooledConnection c = idle.pop(); c != null; c = idle.pop()) {
            close(c, CloseReason.RETIRED);
        }
        for (PooledConnection c = shared.unused(); c != null; c = shared.unused()) {
            close(c, CloseReason.RETIRED);
        }
    }

    /** Keeps connections (again): the pool's endpoint is part of the newest generation. */
    void revive() {
        retired = false;
    }

    /** Whether nothing is left of a retired pool. */
    boolean isSpent() {
        return retired
                && lent.size() == 0
                && opener.underWay() == 0
                && waiting.isEmpty()
                && idle.isEmpty()
                && shared.isEmpty();
    }

    /** What this pool has done and holds. */
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
