package dev.lychgate.pool;

import dev.lychgate.loop.DeadlineWheel;
import java.util.ArrayDeque;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A FIFO queue of the requests that wait for a connection of one pool. The number of places is limited. A request needs
 * no place if a connect in progress will serve it. Used on the event loop of the pool.
 */
final class WaitQueue {
    private final DeadlineWheel wheel;
    private final Permits places;
    private final IntSupplier expected;
    private final boolean oneEach;
    private final ArrayDeque<PendingAcquire> pending = new ArrayDeque<>();
    private int placesTaken;
    /**
     * The number of requests for which no connect is in progress. Used only if each request needs a separate
     * connection.
     */
    private int unserved;

    /**
     * Creates an empty queue.
     *
     * @param expected number of requests that the connects in progress will serve
     * @param oneEach whether each connection is opened for one request exclusively
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

    /** Acquires a place for a request. Returns false if the queue is full. */
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

    /** Returns the number of waiting requests that no connect in progress will serve. */
    int lacking() {
        return oneEach ? unserved : Math.max(0, pending.size() - expected.getAsInt());
    }

    /**
     * Releases the places of requests that have left the queue, and the places of requests that connects in progress
     * will serve.
     */
    void freePlaces() {
        int needed = lacking();
        for (; placesTaken > needed; placesTaken--) {
            places.release();
        }
    }

    /**
     * Removes a request from the queue.
     *
     * @return whether {@code waiting} was still in the queue
     */
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
     * Removes the request that has waited longest; null if there is none.
     *
     * @param fresh whether the available connection is fresh, so that every request may use it
     */
    @Nullable
    PendingAcquire poll(boolean fresh) {
        if (pending.isEmpty()) {
            // Returns early to avoid the allocation of an iterator for every request.
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

    /**
     * Returns the request that has waited longest among the requests without a connect in progress, and marks it as
     * served.
     */
    PendingAcquire serveNext() {
        for (PendingAcquire waiting : pending) {
            if (!waiting.isServed()) {
                waiting.serve();
                unserved--;
                freePlaces();
                return waiting;
            }
        }
        throw new IllegalStateException("a connect was started, but no request waits for a connection");
    }
}
