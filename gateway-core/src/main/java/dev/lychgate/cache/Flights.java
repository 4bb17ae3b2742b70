package dev.lychgate.cache;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Coalesces concurrent requests for keys without a usable stored response. The first request for a key leads a flight:
 * it is sent to the origin. Later requests for the key may follow the leader: they wait for its result. If the leader
 * fails, the follower that has waited longest becomes the leader, and the other followers continue to wait. Therefore,
 * a failing origin receives one request at a time for each key. Thread-safe.
 */
final class Flights {
    private static final int SLOTS = 1 << 12;
    /**
     * The time in seconds for which requests for a key do not wait for each other, after a response for this key could
     * not be stored.
     */
    private static final int UNCACHEABLE_SECONDS = 10;

    /** The result with which a flight (group of coalesced requests) ends. */
    enum Landing {
        /** The response is stored. */
        STORED,
        /** The response must not be stored, so each follower needs a separate response. */
        UNCACHEABLE,
        /** The origin failed, and a stale response replaces the error for the leader and its followers. */
        STALE,
        /** The leader was shed, and a stale response replaces the error for the leader and its followers. */
        SHED,
        /** The leader failed, and there was no follower. */
        FAILED
    }

    private final ConcurrentHashMap<String, Flight> open = new ConcurrentHashMap<>();
    /**
     * Hashes of keys whose last response could not be stored, each with the time at which the entry expires, in
     * seconds.
     */
    private final AtomicLongArray uncacheable = new AtomicLongArray(SLOTS);

    private final SeededHash hash = new SeededHash();
    private final AtomicInteger waiting = new AtomicInteger();

    /**
     * Begins the flight {@code own} for its key, unless the key already has an open flight. Returns the open flight;
     * the caller is its leader if the result is {@code own}.
     */
    Flight begin(Flight own) {
        Flight other = open.putIfAbsent(own.key, own);
        return other == null ? own : other;
    }

    Flight flight(String key) {
        return new Flight(key);
    }

    int waiting() {
        return waiting.get();
    }

    /**
     * Records that a response for a key could not be stored. {@code now} is the current time of the monotonic clock, in
     * seconds.
     */
    void uncacheable(String key, long now) {
        int own = hash.of(key);
        uncacheable.set(slot(own), ((long) own << 32) | ((now + UNCACHEABLE_SECONDS) & 0xffffffffL));
    }

    /**
     * Returns whether requests for a key must not wait for each other, because the last response for the key could not
     * be stored.
     */
    boolean isUncacheable(String key, long now) {
        int own = hash.of(key);
        long noted = uncacheable.get(slot(own));
        return (int) (noted >> 32) == own && (int) noted - (int) now > 0;
    }

    private static int slot(int hash) {
        return (hash * 0x9e3779b9) >>> 20;
    }

    /** The concurrent requests for one key. One of them, the leader, is sent to the origin; the others wait. */
    final class Flight {
        private final String key;
        /** The followers that wait, in the order of their arrival. */
        private final ConcurrentSkipListMap<Long, Follower> followers = new ConcurrentSkipListMap<>();

        private final AtomicLong joined = new AtomicLong();
        /** The number of leaders. A follower that has waited for too long becomes an additional leader. */
        private final AtomicInteger leaders = new AtomicInteger(1);

        private final AtomicReference<@Nullable Landing> landing = new AtomicReference<>();

        Flight(String key) {
            this.key = key;
        }

        /**
         * Makes the caller a follower, which waits for the result.
         *
         * @param wake runs one time, on any thread; does not run if the follower leaves the flight before the flight
         *     has a result
         * @return the follower; null if the flight has already ended
         */
        @Nullable
        Follower join(Runnable wake) {
            Follower follower = new Follower(this, joined.getAndIncrement(), wake);
            waiting.incrementAndGet();
            followers.put(follower.place, follower);
            return landing.get() != null && remove(follower) ? null : follower;
        }

        private boolean remove(Follower follower) {
            boolean removed = followers.remove(follower.place, follower);
            if (removed) {
                waiting.decrementAndGet();
            }
            return removed;
        }

        private @Nullable Follower next() {
            Map.Entry<Long, Follower> first = followers.pollFirstEntry();
            if (first == null) {
                return null;
            }
            waiting.decrementAndGet();
            return first.getValue();
        }

        /** Makes the caller an additional leader, because the caller has waited for too long. */
        void lead() {
            leaders.incrementAndGet();
        }

        /**
         * Ends the flight with the result of a leader, so that all followers continue. Later results have no effect.
         */
        void land(Landing result) {
            landing.compareAndSet(null, result);
            open.remove(key, this);
            for (Follower each = next(); each != null; each = next()) {
                each.wake(Follower.State.LANDED);
            }
        }

        /**
         * Ends the role of a leader that has failed. If the flight has no other leader, the follower that has waited
         * longest becomes the leader.
         */
        void fail() {
            if (leaders.decrementAndGet() > 0 || landing.get() != null) {
                return;
            }
            for (Follower each = next(); each != null; each = next()) {
                leaders.incrementAndGet();
                if (each.wake(Follower.State.LEADS)) {
                    return;
                }
                leaders.decrementAndGet();
            }
            land(Landing.FAILED);
        }

        /** Returns the result of the flight; null if the flight has not ended. */
        @Nullable
        Landing landing() {
            return landing.get();
        }
    }

    /** A request that waits for the result of a flight. The request must call {@link #leave} exactly one time. */
    static final class Follower {
        /** The state of a follower. */
        enum State {
            /** The follower waits. */
            WAITING,
            /** The follower leads the flight. */
            LEADS,
            /** The flight has ended. */
            LANDED,
            /** The follower no longer waits. */
            LEFT
        }

        private final Flight flight;
        private final Long place;
        private final Runnable wake;
        private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

        Follower(Flight flight, long place, Runnable wake) {
            this.flight = flight;
            this.place = place;
            this.wake = wake;
        }

        Flight flight() {
            return flight;
        }

        /** Wakes the request, unless it no longer waits. */
        private boolean wake(State as) {
            boolean waited = state.compareAndSet(State.WAITING, as);
            if (waited) {
                wake.run();
            }
            return waited;
        }

        /**
         * Ends the wait. If the returned state is {@link State#LEADS}, the request leads the flight, so it must end the
         * flight later.
         *
         * @return the state before this call
         */
        State leave() {
            State before = state.getAndSet(State.LEFT);
            if (before == State.WAITING) {
                flight.remove(this);
            }
            return before;
        }
    }
}
