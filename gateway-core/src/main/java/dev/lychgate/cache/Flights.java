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
 * Requests in progress for keys without a usable response. The first request for a key leads a flight, and further requests may follow
 * it: they wait until it has a result. If the leader fails, the follower that has waited longest leads, and the others continue to wait.
 * An origin that fails therefore receives one request at a time for each key. Thread-safe.
 */
final class Flights {
    private static final int SLOTS = 1 << 12;
    /**
     * The time for which requests for a key do not wait for each other after a response for the key could not be
     * stored, in seconds.
     */
    private static final int UNCACHEABLE_SECONDS = 10;

    /** The end of a flight. */
    enum Landing {
        /** The response is stored. */
        STORED,
        /** The response must not be stored, so each follower needs a response of its own. */
        UNCACHEABLE,
        /** The origin failed, and a stale response replaces the failure, also for followers. */
        STALE,
        /** The request was shed, and a stale response replaces the error, also for followers. */
        SHED,
        /** The last leader failed when no request followed it. */
        FAILED
    }

    private final ConcurrentHashMap<String, Flight> open = new ConcurrentHashMap<>();
    /** Hashes of keys whose last response could not be stored, each with the second in which the entry expires. */
    private final AtomicLongArray uncacheable = new AtomicLongArray(SLOTS);

    private final SeededHash hash = new SeededHash();
    private final AtomicInteger waiting = new AtomicInteger();

    /**
     * Begins a flight for a key, or returns the open flight of the key. The caller leads the flight if {@code own} is
     * returned.
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

    /** Records that the response of a key could not be stored. {@code now} is the monotonic clock in seconds. */
    void uncacheable(String key, long now) {
        int own = hash.of(key);
        uncacheable.set(slot(own), ((long) own << 32) | ((now + UNCACHEABLE_SECONDS) & 0xffffffffL));
    }

    /** Returns whether requests for a key need not wait, because its last response could not be stored. */
    boolean isUncacheable(String key, long now) {
        int own = hash.of(key);
        long noted = uncacheable.get(slot(own));
        return (int) (noted >> 32) == own && (int) noted - (int) now > 0;
    }

    private static int slot(int hash) {
        return (hash * 0x9e3779b9) >>> 20;
    }

    /** The requests for one key, of which one is sent to the origin. */
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
         * Waits for the result.
         *
         * @param wake runs once unless the follower leaves before, on any thread
         * @return null if the flight has already landed
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

        /** Makes the caller an additional leader, because it has waited for too long. */
        void lead() {
            leaders.incrementAndGet();
        }

        /** Ends the flight with the result of a leader; all followers continue. Only the first result counts. */
        void land(Landing result) {
            landing.compareAndSet(null, result);
            open.remove(key, this);
            for (Follower each = next(); each != null; each = next()) {
                each.wake(Follower.State.LANDED);
            }
        }

        /** Ends the role of a leader without a result. If it was the only leader, the next follower leads. */
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

        /** Returns the result; null before the end. */
        @Nullable
        Landing landing() {
            return landing.get();
        }
    }

    /** A request that waits for the result of a flight. {@link #leave} must be called once, by the request itself. */
    static final class Follower {
        /** The state of a follower. */
        enum State {
            /** The follower waits. */
            WAITING,
            /** The follower leads the flight. */
            LEADS,
            /** The flight has landed. */
            LANDED,
            /** The follower has left. */
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

        /** Wakes the request, unless it has left. */
        private boolean wake(State as) {
            boolean waited = state.compareAndSet(State.WAITING, as);
            if (waited) {
                wake.run();
            }
            return waited;
        }

        /**
         * Ends the wait. If the returned state is {@link State#LEADS}, the request must end the flight.
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
