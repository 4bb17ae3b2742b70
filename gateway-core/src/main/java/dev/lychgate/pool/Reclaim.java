package dev.lychgate.pool;

import dev.lychgate.loop.Deadline;
import dev.lychgate.loop.Headroom;
import dev.lychgate.loop.IntrusiveList;
import dev.lychgate.loop.Loop;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * Reclaims connections from exchanges with slow clients, because clients that do not read their responses must not
 * block all other clients. Runs while requests wait and no connection may be opened, or while memory is scarce.
 */
final class Reclaim extends Deadline {
    private static final long EVERY = TimeUnit.MILLISECONDS.toNanos(100);
    /** The maximum number of leases that are checked in one run. */
    private static final int LOOKS = 1024;
    /** The maximum number of leases that are reclaimed in one run because memory is scarce. */
    private static final int AT_ONCE = 16;

    private final Loop loop;
    private final IntrusiveList<ConnectionLease> lent;
    private final long patience;
    private final IntSupplier lacking;
    private boolean awaited;
    private long reclaimed;

    /**
     * Creates the reclaim of one pool.
     *
     * @param patience the time for which a client may keep a connection waiting, in nanoseconds; 0 for no limit
     * @param lacking number of waiting requests that no connect in progress will serve
     */
    Reclaim(Loop loop, IntrusiveList<ConnectionLease> lent, long patience, IntSupplier lacking) {
        this.loop = loop;
        this.lent = lent;
        this.patience = patience;
        this.lacking = lacking;
    }

    void await() {
        if (patience > 0 && !awaited) {
            awaited = true;
            loop.deadlines().arm(this, EVERY);
        }
    }

    void lent() {
        if (Headroom.isScarce()) {
            await();
        }
    }

    long reclaimed() {
        return reclaimed;
    }

    @Override
    protected void onDeadline() {
        awaited = false;
        int wanted = Math.max(lacking.getAsInt(), Headroom.isScarce() ? AT_ONCE : 0);
        for (int looks = Math.min(lent.size(), LOOKS); looks > 0 && wanted > 0; looks--) {
            ConnectionLease lease = lent.first();
            if (lease == null) {
                break;
            }
            lent.remove(lease);
            lent.add(lease);
            if (lease.want(patience)) {
                reclaimed++;
                wanted--;
            }
        }
        if (lacking.getAsInt() > 0 || Headroom.isScarce()) {
            await();
        }
    }
}
