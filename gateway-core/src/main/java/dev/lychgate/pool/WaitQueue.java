package dev.lychgate.pool;

import dev.lychgate.loop.DeadlineWheel;
import java.util.ArrayDeque;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The requests that wait for a connection of one pool, first come, first served. A request that no opening connection is
 * going to serve holds one place; their number is bounded. Used on its event loop.
 */
final class WaitQueue {
    private final DeadlineWheel wheel;
    private final Permits places;
    private final IntSupplier expected;
    private final boolean oneEach;
    private final ArrayDeque<PendingAcquire> pending = new ArrayDeque<>();
    private int placesTaken;
    /** Requests without a connection being opened for them; counted if each needs one of its own. */
    private int unserved;

    /**
     * @param expected how many requests the connections that are being opened are going to serve
     * @param oneEach whether each connection is opened for one request, which no other one may take
     */
    WaitQueue(DeadlineWheel wheel, Permits places, IntSupplier expected, boolean oneEach) {
        this.wheel = wheel;
        this.places = places;
        this.expected = expected;
        this.oneEach = oneEach;
    }

    int size() {
        return pending.size();
    }

    boolean isEmpty() {
        return pending.isEmpty();
    }

    /** Takes a place for a request that is about to wait; false if the queue is full. */
    boolean takePlace() {
        boolean taken = places.tryAcquire();
        placesTaken += taken ? 1 : 0;
        return taken;
    }

    PendingAcquire add(boolean freshOnly, AcquireListener listener, long longest) {
        PendingAcquire added = new PendingAcquire(this, freshOnly, listener);
        pending.addLast(added);
        unserved++;
        wheel.arm(added, longest);
        return added;
    }

    /** Returns how many requests wait that no opening connection is going to serve. */
    int lacking() {
        return oneEach ? unserved : Math.max(0, pending.size() - expected.getAsInt());
    }

    /** Gives back the places of requests that opening connections are going to serve, or that have left. */
    void freePlaces() {
        int needed = lacking();
        for (; placesTaken > needed; placesTaken--) {
            places.release();
        }
    }

    /** Removes {@code waiting}. @return whether it was still in the queue */
    boolean take(PendingAcquire waiting) {
        wheel.remove(waiting);
        if (!pending.remove(waiting)) {
            return false;
        }
        unserved -= waiting.isServed() ? 0 : 1;
        freePlaces();
        return true;
    }

    /**
     * Removes the request that has waited for longest; null if there is none.
     *
     * @param fresh whether requests that need a fresh connection are meant, too
     */
    @Nullable
    PendingAcquire poll(boolean fresh) {
        if (pending.isEmpty()) {
            // An iterator would be an object for every request.
            return null;
        }
        for (PendingAcquire waiting : pending) {
            if (fresh || !waiting.freshOnly) {
                take(waiting);
                return waiting;
            }
        }
        return null;
    }

    /** Returns the request that has waited for longest without a connection being opened for it; now one is. */
    PendingAcquire serveNext() {
        for (PendingAcquire waiting : pending) {
            if (!waiting.isServed()) {
                waiting.serve();
                unserved--;
                freePlaces();
                return waiting;
            }
        }
        throw new IllegalStateException("a connection for nobody");
    }
}
