package dev.lychgate.pool;

import org.jspecify.annotations.Nullable;

/** The leases of a pool that have not been given back, those that were looked at longest ago first. */
final class Lent {
    private @Nullable ConnectionLease first;
    private @Nullable ConnectionLease last;
    private int size;

    int size() {
        return size;
    }

    void add(ConnectionLease lease) {
        lease.before = last;
        if (last == null) {
            first = lease;
        } else {
            last.after = lease;
        }
        last = lease;
        size++;
    }

    void remove(ConnectionLease lease) {
        ConnectionLease before = lease.before;
        ConnectionLease after = lease.after;
        if (before == null) {
            first = after;
        } else {
            before.after = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.before = before;
        }
        lease.before = null;
        lease.after = null;
        size--;
    }

    /** The first, which stands last from now on; null if there is none. */
    @Nullable
    ConnectionLease next() {
        ConnectionLease lease = first;
        if (lease != null) {
            remove(lease);
            add(lease);
        }
        return lease;
    }
}
