package dev.lychgate.pool;

import dev.lychgate.loop.IntrusiveList;
import dev.lychgate.origin.OriginStream;
import dev.lychgate.origin.OriginTunnel;
import dev.lychgate.origin.PooledConnection;
import org.jspecify.annotations.Nullable;

/** A leased connection, which must be released exactly one time. Used on the event loop of its pool. */
public final class ConnectionLease extends IntrusiveList.Entry<ConnectionLease> {
    /** The part of a pool to which a lease is released. */
    interface Owner {
        void takeBack(ConnectionLease lease);

        /**
         * Returns the tunnel that the stream of {@code lease} has become. The tunnel belongs to the holder of the
         * lease.
         */
        OriginTunnel keep(ConnectionLease lease);
    }

    private final Owner owner;
    final PooledConnection connection;
    private final OriginStream stream;
    private final boolean reused;
    private boolean returned;
    private @Nullable AcquireListener holder;

    ConnectionLease(Owner owner, PooledConnection connection, OriginStream stream, boolean reused) {
        this.owner = owner;
        this.connection = connection;
        this.stream = stream;
        this.reused = reused;
    }

    /** Returns the leased connection; if the connection is multiplexed, returns the leased stream. */
    public OriginStream stream() {
        return stream;
    }

    /**
     * Returns whether the connection has carried requests before. If it has, the origin may have closed the connection,
     * although the pool has not detected the close yet.
     */
    public boolean isReused() {
        return reused;
    }

    /** Sets the holder of the lease, from which the pool may request an early release. */
    public void heldBy(AcquireListener by) {
        holder = by;
    }

    /**
     * Asks the holder for an early release.
     *
     * @return whether the lease has been released
     */
    boolean want(long patience) {
        AcquireListener by = holder;
        return by != null && by.onWanted(patience);
    }

    /**
     * Releases the connection. The pool keeps the connection if it is reusable, and closes the connection if it is not.
     */
    public void giveBack() {
        settle();
        owner.takeBack(this);
    }

    /**
     * Keeps the connection, which has become a tunnel, instead of releasing it. A connection that carries one exchange
     * at a time leaves the pool. If the connection is multiplexed, its stream is released when the tunnel ends.
     */
    public OriginTunnel keep() {
        settle();
        return owner.keep(this);
    }

    private void settle() {
        if (returned) {
            throw new IllegalStateException("the lease is already released");
        }
        returned = true;
    }
}
