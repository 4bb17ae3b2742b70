package dev.lychgate.pool;

import dev.lychgate.loop.IntrusiveList;
import dev.lychgate.origin.OriginStream;
import dev.lychgate.origin.OriginTunnel;
import dev.lychgate.origin.PooledConnection;
import org.jspecify.annotations.Nullable;

/**
 * A borrowed connection, to be given back exactly once. Belongs to the event loop of its pool.
 */
public final class ConnectionLease extends IntrusiveList.Entry<ConnectionLease> {
    /** The pool as a lease uses it. */
    interface Owner {
        void takeBack(ConnectionLease lease);

        /** Lets the holder of {@code lease} keep its stream, which has become a tunnel. */
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

    /** The connection, or as much of it as is ours. */
    public OriginStream stream() {
        return stream;
    }

    /** Whether the connection has carried requests before: then it may be dead without our knowing. */
    public boolean isReused() {
        return reused;
    }

    /** {@code holder} will be asked to give it back before its time if others need it more. */
    public void heldBy(AcquireListener by) {
        holder = by;
    }

    /** @return whether it has been given back by that */
    boolean want(long patience) {
        AcquireListener by = holder;
        return by != null && by.onWanted(patience);
    }

    /** Gives the connection back: kept if its exchange left it in step, else closed. */
    public void giveBack() {
        settle();
        owner.takeBack(this);
    }

    /**
     * Keeps the connection, which has become a tunnel, in place of giving it back. One that carries nothing else is the pool's
     * no more; of one that carries several exchanges the stream comes back when the tunnel is over.
     */
    public OriginTunnel keep() {
        settle();
        return owner.keep(this);
    }

    private void settle() {
        if (returned) {
            throw new IllegalStateException("a lease is given back once");
        }
        returned = true;
    }
}
