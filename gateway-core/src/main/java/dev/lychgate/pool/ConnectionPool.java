package dev.lychgate.pool;

import dev.lychgate.config.PoolConfig;
import dev.lychgate.config.UpstreamProtocol;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.loop.Deadline;
import dev.lychgate.loop.Loop;
import dev.lychgate.origin.ConnectionOwner;
import dev.lychgate.origin.Connector;
import dev.lychgate.origin.Destination;
import dev.lychgate.origin.Http2OriginConnection;
import dev.lychgate.origin.OriginConnection;
import dev.lychgate.origin.OriginStream;
import dev.lychgate.origin.PooledConnection;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop to one endpoint. Lends the one that was used last (it is the warmest, and the others
 * can age out), else opens a new one, else lets the request wait in a bounded queue, first come, first served. A
 * connection that closes while nobody uses it leaves at once.
 *
 * <p>A connect is started for a waiting request but not tied to it: whichever connection comes free first serves
 * whoever waits longest. Where connections are announced by the PROXY protocol it is otherwise: each is opened for one
 * client, carries one request of his and is closed. Used on its event loop only.
 */
public final class ConnectionPool implements ConnectionOwner {
    private final Loop loop;
    private final PoolKey key;
    private final Connector connector;
    private final AwaitedPermits permits;
    private final Permits queuePlaces;
    private final ArrayDeque<OriginConnection> idle = new ArrayDeque<>();
    private final ArrayDeque<PendingAcquire> pending = new ArrayDeque<>();
    private final Map<CloseReason, Long> closed = new EnumMap<>(CloseReason.class);
    private final Lent lent = new Lent();
    private final Reclaim reclaim;
    private final IdleSweep idleSweep = new IdleSweep();
    private final Multiplexed shared;
    private final long idleNanos;
    private final long lifetimeNanos;

    /** One for all offers: keeping a connection must not cost an object. */
    private final BooleanSupplier giveUp = this::giveUpOne;

    /** Whether each connection is for one client. */
    private final boolean announced;

    private long connectNanos;
    private int connecting;
    private int placesTaken;
    /** Of those who wait: for whom no connection is being opened. Kept only where each needs one of his own. */
    private int unserved;

    private long created;
    private long connectFailures;
    private long reused;
    private boolean retired;

    ConnectionPool(Loop loop, PoolKey key, Connector connector, AwaitedPermits permits, Permits queuePlaces) {
        this.loop = loop;
        this.key = key;
        this.connector = connector;
        this.permits = permits;
        this.queuePlaces = queuePlaces;
        this.announced = key.destination().announcement() != null;
        this.idleNanos = key.config().idle().toNanos();
        this.lifetimeNanos = key.config().lifetime().toNanos();
        PoolConfig config = key.config();
        int perConnection = config.protocol() == UpstreamProtocol.H2 ? config.streams() : 1;
        this.reclaim = new Reclaim(loop, lent, config.reclaim().toNanos(), this::lacking);
        this.shared = new Multiplexed(this, config, loop.deadlines(), perConnection);
    }

    public PoolKey key() {
        return key;
    }

    /** Lends an idle connection, newest first, or a stream of one that carries several; null if there is none. */
    public @Nullable ConnectionLease tryAcquire() {
        assert loop.inLoop();
        for (OriginConnection c = idle.pollLast(); c != null; c = idle.pollLast()) {
            if (!c.isOpen()) {
                // It has just died; its owner, we, will hear of it in a moment.
                count(CloseReason.ORIGIN_CLOSED);
                continue;
            }
            if (isTooOld(c)) {
                close(c, CloseReason.LIFETIME);
                continue;
            }
            reused++;
            return lease(c, true);
        }
        return shared.isEmpty() ? null : stream();
    }

    private ConnectionLease lease(OriginConnection connection, boolean used) {
        ConnectionLease lease = new ConnectionLease(this, connection, connection, used);
        lent.add(lease);
        reclaim.lent();
        return lease;
    }

    private @Nullable ConnectionLease stream() {
        ConnectionLease lease = shared.lend();
        if (lease != null) {
            lent.add(lease);
            reclaim.lent();
            reused += lease.isReused() ? 1 : 0;
        }
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
        connectNanos = connect;
        ConnectionLease stream = shared.isEmpty() ? null : stream();
        if (stream != null) {
            // There may be several behind a connection that is not fresh; what was lost was lost with another one.
            listener.onLease(stream);
            return null;
        }
        boolean underWay = !announced && expected() > pending.size();
        boolean mayOpen = !underWay && permits.tryAcquire();
        // Those for whom a connection is being opened stand in nobody's way: the bound is on who waits beyond them.
        boolean queued = !underWay && !mayOpen;
        if (queued && !queuePlaces.tryAcquire()) {
            listener.onAcquireFailed(
                    GatewayError.local(ErrorKind.POOL_EXHAUSTED, "too many requests wait for the upstream"));
            return null;
        }
        if (queued) {
            placesTaken++;
        }
        PendingAcquire place = new PendingAcquire(this, freshOnly, listener);
        pending.addLast(place);
        unserved++;
        loop.deadlines().arm(place, acquire);
        if (mayOpen) {
            connect();
        } else if (queued) {
            reclaim.await();
            permits.awaitRelease(this::connectForPending);
        }
        return place;
    }

    void leaveQueue(PendingAcquire place) {
        loop.deadlines().remove(place);
        if (pending.remove(place)) {
            unserved -= place.isServed() ? 0 : 1;
            freePlaces();
        }
    }

    private void freePlaces() {
        int needed = lacking();
        for (; placesTaken > needed; placesTaken--) {
            queuePlaces.release();
        }
    }

    private void connectForPending() {
        while (lacking() > 0) {
            if (!permits.tryAcquire()) {
                reclaim.await();
                permits.awaitRelease(this::connectForPending);
                return;
            }
            connect();
        }
    }

    /** How many of those who wait no connection under way is going to serve. */
    private int lacking() {
        return announced ? unserved : Math.max(0, pending.size() - expected());
    }

    /** How many of those who wait the connections under way are going to serve. */
    private int expected() {
        return connecting * shared.perConnection();
    }

    private void connect() {
        connecting++;
        if (announced) {
            connectFor(nextUnserved());
            return;
        }
        freePlaces();
        connector.connect(key.destination(), connectNanos, this, new Connected(null));
    }

    /** @param whose whoever waits longest without a connection that is being opened for him */
    private void connectFor(PendingAcquire whose) {
        whose.serve();
        unserved--;
        freePlaces();
        Destination to = key.destination().onBehalfOf(whose.onBehalfOf());
        connector.connect(to, connectNanos, this, new Connected(whose));
    }

    private PendingAcquire nextUnserved() {
        for (PendingAcquire place : pending) {
            if (!place.isServed()) {
                return place;
            }
        }
        throw new IllegalStateException("a connection for nobody");
    }

    void takeBack(ConnectionLease lease, PooledConnection connection, OriginStream stream) {
        assert loop.inLoop();
        lent.remove(lease);
        if (connection instanceof Http2OriginConnection multiplexed) {
            takeBackStream(multiplexed, stream);
        } else {
            takeBack((OriginConnection) connection);
        }
    }

    private void takeBackStream(Http2OriginConnection connection, OriginStream stream) {
        CloseReason over = shared.takeBack(connection, stream, retired);
        if (over != null) {
            close(connection, over);
            return;
        }
        servePending();
        if (connection.lent() == 0) {
            offer();
        }
    }

    /** There may be room on connections that carry several exchanges. */
    private void servePending() {
        while (!pending.isEmpty()) {
            ConnectionLease lease = stream();
            if (lease == null) {
                connectForPending();
                return;
            }
            PendingAcquire first = pending.getFirst();
            leaveQueue(first);
            first.give(lease);
        }
    }

    private void takeBack(OriginConnection connection) {
        if (!connection.finish()) {
            close(connection, CloseReason.NOT_REUSABLE);
        } else if (retired) {
            close(connection, CloseReason.RETIRED);
        } else if (isTooOld(connection)) {
            close(connection, CloseReason.LIFETIME);
        } else if (hasCarriedEnough(connection)) {
            close(connection, CloseReason.REQUESTS);
        } else {
            lendOrKeep(connection);
        }
    }

    /** Somebody keeps {@code connection}: its place in the pool is free. */
    void letGo(ConnectionLease lease, OriginConnection connection) {
        assert loop.inLoop();
        lent.remove(lease);
        count(CloseReason.UPGRADED);
        connection.disown();
        onConnectionClosed(connection);
    }

    private void lendOrKeep(OriginConnection connection) {
        boolean fresh = connection.requests() == 0;
        PendingAcquire first = pollPending(fresh);
        if (first != null) {
            if (!fresh) {
                reused++;
            }
            first.give(lease(connection, !fresh));
        } else if (retired) {
            close(connection, CloseReason.RETIRED);
        } else if (expected() < pending.size()) {
            // Somebody waits who can't use this one: a request that needs a fresh connection.
            close(connection, CloseReason.CONTENDED);
        } else {
            keep(connection);
        }
    }

    private void lendTo(PendingAcquire whose, OriginConnection connection) {
        if (stillWaiting(whose) == null) {
            close(connection, CloseReason.NOT_REUSABLE);
            return;
        }
        whose.give(lease(connection, false));
    }

    /** Takes {@code place} out of the queue; null if it has left. */
    private @Nullable PendingAcquire stillWaiting(PendingAcquire place) {
        if (!pending.contains(place)) {
            return null;
        }
        leaveQueue(place);
        return place;
    }

    private void keep(OriginConnection connection) {
        idle.addLast(connection);
        if (idle.size() == 1) {
            loop.deadlines().arm(idleSweep, idleNanos);
        }
        offer();
    }

    /** A connection is not used: somebody else may need its permit. */
    private void offer() {
        permits.offer(giveUp);
        if (permits.isContended()) {
            giveUpOne();
        }
    }

    /** Closes an idle connection, because another loop waits for its permit. @return whether there was one */
    private boolean giveUpOne() {
        PooledConnection oldest = idle.isEmpty() ? shared.unused() : idle.pollFirst();
        if (oldest == null) {
            return false;
        }
        close(oldest, CloseReason.CONTENDED);
        if (!idle.isEmpty() || shared.unused() != null) {
            permits.offer(giveUp);
        }
        return true;
    }

    /** Whoever a connection was opened for may be gone. */
    private void closeIfUnused(Http2OriginConnection connection) {
        if (connection.lent() == 0 && retired) {
            close(connection, CloseReason.RETIRED);
        } else if (connection.lent() == 0) {
            shared.awaitIdle();
            offer();
        }
    }

    private @Nullable PendingAcquire pollPending(boolean fresh) {
        if (pending.isEmpty()) {
            return null;
        }
        for (PendingAcquire place : pending) {
            if (fresh || !place.isFreshOnly()) {
                leaveQueue(place);
                return place;
            }
        }
        return null;
    }

    private boolean isTooOld(OriginConnection connection) {
        return lifetimeNanos > 0 && loop.deadlines().now() - connection.createdAt() >= lifetimeNanos;
    }

    private boolean hasCarriedEnough(OriginConnection connection) {
        PoolConfig config = key.config();
        // What is announced is one client's, and so is all that an origin would see on it.
        return announced || (config.requests() > 0 && connection.requests() >= config.requests());
    }

    void close(PooledConnection connection, CloseReason reason) {
        count(reason);
        if (connection instanceof Http2OriginConnection multiplexed) {
            shared.remove(multiplexed);
        }
        connection.close();
    }

    private void count(CloseReason reason) {
        closed.merge(reason, 1L, Long::sum);
    }

    @Override
    public void onConnectionClosed(PooledConnection connection) {
        permits.release();
        boolean left = connection instanceof Http2OriginConnection multiplexed
                ? shared.remove(multiplexed)
                : idle.remove(connection);
        if (left) {
            count(CloseReason.ORIGIN_CLOSED);
        }
        connectForPending();
    }

    /** Keeps nothing from now on: idle connections close now, lent ones when they come back. */
    public void retire() {
        retired = true;
        for (OriginConnection c = idle.pollLast(); c != null; c = idle.pollLast()) {
            close(c, CloseReason.RETIRED);
        }
        for (Http2OriginConnection c = shared.unused(); c != null; c = shared.unused()) {
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
                && connecting == 0
                && pending.isEmpty()
                && idle.isEmpty()
                && shared.isEmpty();
    }

    /** What this pool has done and holds. */
    public PoolCounters counters() {
        return new PoolCounters(
                created,
                connectFailures,
                reused,
                idle.size() + shared.idle(),
                lent.size(),
                connecting,
                pending.size(),
                reclaim.reclaimed(),
                closed);
    }

    /** One connect under way. */
    private final class Connected implements Connector.Outcome {
        private final @Nullable PendingAcquire whose;

        /** @param whose for whom alone it is; null = whoever waits longest */
        Connected(@Nullable PendingAcquire whose) {
            this.whose = whose;
        }

        @Override
        public void onConnected(PooledConnection connection) {
            connecting--;
            created++;
            if (connection instanceof Http2OriginConnection multiplexed) {
                multiplexed.whenRoom(ConnectionPool.this::servePending);
                shared.add(multiplexed);
                servePending();
                closeIfUnused(multiplexed);
            } else if (whose != null) {
                lendTo(whose, (OriginConnection) connection);
            } else {
                lendOrKeep((OriginConnection) connection);
                if (shared.carriesOneEach()) {
                    // Several wait for what has turned out to be for one of them.
                    connectForPending();
                }
            }
        }

        @Override
        public void onConnectFailed(GatewayError error) {
            connecting--;
            connectFailures++;
            permits.release();
            PendingAcquire first = whose == null ? pollPending(true) : stillWaiting(whose);
            if (first != null) {
                first.fail(error);
            }
            connectForPending();
        }
    }

    /** Closes what has been idle for too long; the oldest are at the bottom of the stack. */
    private final class IdleSweep extends Deadline {
        @Override
        protected void onDeadline() {
            long now = loop.deadlines().now();
            for (OriginConnection c = idle.peekFirst(); c != null; c = idle.peekFirst()) {
                long left = c.idleSince() + idleNanos - now;
                if (left > 0) {
                    loop.deadlines().arm(this, left);
                    return;
                }
                idle.pollFirst();
                close(c, CloseReason.IDLE);
            }
        }
    }
}
