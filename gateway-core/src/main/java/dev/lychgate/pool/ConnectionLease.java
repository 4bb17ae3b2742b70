package dev.lychgate.pool;

import dev.lychgate.origin.Http2OriginConnection;
import dev.lychgate.origin.OriginConnection;
import dev.lychgate.origin.OriginStream;
import dev.lychgate.origin.OriginTunnel;
import dev.lychgate.origin.PooledConnection;

/**
 * A borrowed connection, to be given back exactly once. Belongs to the event loop of its pool.
 */
public final class ConnectionLease {
    private final ConnectionPool pool;
    private final PooledConnection connection;
    private final OriginStream stream;
    private final boolean reused;
    private boolean returned;

    /** @param reused whether the connection has carried requests before */
    ConnectionLease(ConnectionPool pool, PooledConnection connection, OriginStream stream, boolean reused) {
        this.pool = pool;
        this.connection = connection;
        this.stream = stream;
        this.reused = reused;
    }

    /** The connection, or as much of it as is ours. */
    public OriginStream stream() {
        return stream;
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
        pool.takeBack(connection, stream);
    }

    /**
     * Keeps the connection, which has become a tunnel, in place of giving it back. One that carries nothing else is the pool's
     * no more; of one that carries several exchanges the stream comes back when the tunnel is over.
     */
    public OriginTunnel keep() {
        if (returned) {
            throw new IllegalStateException("a lease is given back once");
        }
        returned = true;
        if (connection instanceof Http2OriginConnection multiplexed) {
            return multiplexed.keep(stream, () -> pool.takeBack(connection, stream));
        }
        OriginConnection kept = (OriginConnection) connection;
        pool.letGo(kept);
        return kept;
    }
}
