package dev.lychgate.pool;

import dev.lychgate.origin.OriginConnection;

/**
 * A borrowed connection, to be given back exactly once. Belongs to the event loop of its pool.
 */
public final class ConnectionLease {
    private final ConnectionPool pool;
    private final OriginConnection connection;
    private final boolean reused;
    private boolean returned;

    ConnectionLease(ConnectionPool pool, OriginConnection connection) {
        this.pool = pool;
        this.connection = connection;
        this.reused = connection.requests() > 0;
    }

    public OriginConnection connection() {
        return connection;
    }

    /** Whether the connection has carried requests before: then it may be dead without our knowing. */
    public boolean isReused() {
        return reused;
    }

    /** Gives the connection back: kept if its exchange left it in step, else closed. */
    public void giveBack() {
        if (returned) {
            throw new IllegalStateException("a lease is given back once");
        }
        returned = true;
        pool.takeBack(connection);
    }

    /** Keeps the connection for good, in place of giving it back: the pool has nothing more to do with it. */
    public void keep() {
        if (returned) {
            throw new IllegalStateException("a lease is given back once");
        }
        returned = true;
        pool.letGo(connection);
    }
}
