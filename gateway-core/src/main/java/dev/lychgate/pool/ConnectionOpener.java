package dev.lychgate.pool;

import dev.lychgate.error.GatewayError;
import dev.lychgate.origin.Connector;
import dev.lychgate.origin.Destination;
import dev.lychgate.origin.Http2OriginConnection;
import dev.lychgate.origin.PooledConnection;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections for the waiting requests of one pool, as far as permits are available. Used on the event loop of
 * the pool.
 */
final class ConnectionOpener {
    private final PoolKey key;
    private final Connector connector;
    private final Permits permits;
    private final WaitQueue waiting;
    private final Reclaim reclaim;
    private final ConnectionPool pool;
    private long connectNanos;
    private int underWay;
    private long opened;
    private long failures;

    ConnectionOpener(
            PoolKey key,
            Connector connector,
            Permits permits,
            WaitQueue waiting,
            Reclaim reclaim,
            ConnectionPool pool) {
        this.key = key;
        this.connector = connector;
        this.permits = permits;
        this.waiting = waiting;
        this.reclaim = reclaim;
        this.pool = pool;
    }

    int underWay() {
        return underWay;
    }

    long opened() {
        return opened;
    }

    long failures() {
        return failures;
    }

    /** Sets the timeout of later connects, in nanoseconds. */
    void timeout(long nanos) {
        connectNanos = nanos;
    }

    /**
     * Opens connections for the waiting requests that no connect in progress will serve. If no permit is available,
     * waits for a permit.
     */
    void openForPending() {
        while (waiting.lacking() > 0) {
            if (!permits.tryAcquire()) {
                awaitPermit();
                return;
            }
            open();
        }
    }

    void awaitPermit() {
        reclaim.await();
        permits.awaitRelease(this::openForPending);
    }

    /** Opens a connection, for which the caller has a permit. */
    void open() {
        underWay++;
        Destination to = key.destination();
        if (to.announcement() == null) {
            waiting.freePlaces();
            connector.connect(to, connectNanos, pool, new Outcome(null));
        } else {
            PendingAcquire whose = waiting.serveNext();
            connector.connect(to.onBehalfOf(whose.onBehalfOf()), connectNanos, pool, new Outcome(whose));
        }
    }

    private final class Outcome implements Connector.Outcome {
        private final @Nullable PendingAcquire whose;

        Outcome(@Nullable PendingAcquire whose) {
            this.whose = whose;
        }

        @Override
        public void onConnected(PooledConnection connection) {
            underWay--;
            opened++;
            pool.onConnected(connection, whose);
        }

        @Override
        public void onMultiplexed(Http2OriginConnection connection) {
            underWay--;
            opened++;
            pool.onMultiplexed(connection);
        }

        @Override
        public void onConnectFailed(GatewayError error) {
            underWay--;
            failures++;
            permits.release();
            PendingAcquire first = whose;
            if (first == null) {
                first = waiting.poll(true);
            } else if (!waiting.take(first)) {
                first = null;
            }
            if (first != null) {
                first.fail(error);
            }
            openForPending();
        }
    }
}
