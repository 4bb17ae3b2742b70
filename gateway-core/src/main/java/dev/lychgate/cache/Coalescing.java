package dev.lychgate.cache;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The role of one request in the coalescing of concurrent requests. Concurrent requests with the same key form a
 * flight. The request leads a flight, follows a flight, or does neither. Used on one event loop.
 */
final class Coalescing {
    private final Flights flights;
    /**
     * The name of the flights (groups of coalesced requests) to which this request may belong; null until the name is
     * needed.
     */
    private @Nullable String name;

    private Flights.@Nullable Flight leading;
    private Flights.@Nullable Follower following;

    /** The flight (group of coalesced requests) that this request followed last. */
    private Flights.@Nullable Flight followed;

    Coalescing(Flights flights) {
        this.flights = flights;
    }

    /** The result of {@link #join}. */
    enum Part {
        /** Requests with this flight name do not wait for each other. */
        ALONE,
        /**
         * The request must search the cache again, because a response may have been stored in the meantime. The request
         * now leads a flight (a group of coalesced requests), or the flight of another request has just ended.
         */
        SEARCHES,
        /** The request waits for another request, the leader of its flight (group of coalesced requests). */
        WAITS
    }

    /**
     * Makes this request the leader of a new flight (group of coalesced requests). If a flight with the name {@code
     * name} is already open, makes this request a follower in that flight.
     *
     * @param wake runs when the leader has a result or has failed, possibly on another event loop
     * @param now the monotonic clock, in nanoseconds
     */
    Part join(String name, Runnable wake, long now) {
        this.name = name;
        if (flights.isUncacheable(name, TimeUnit.NANOSECONDS.toSeconds(now))) {
            return Part.ALONE;
        }
        Flights.Flight own = flights.flight(name);
        Flights.Flight open = flights.begin(own);
        if (open == own) {
            leading = own;
            return Part.SEARCHES;
        }
        following = open.join(wake);
        return following == null ? Part.SEARCHES : Part.WAITS;
    }

    /**
     * Ends the wait.
     *
     * @return true if the leader is still in progress, which means that this request has waited for too long
     */
    boolean stopWaiting() {
        Flights.Follower own = following;
        if (own == null) {
            throw new IllegalStateException("the request does not wait");
        }
        following = null;
        followed = own.flight();
        Flights.Follower.State before = own.leave();
        if (before == Flights.Follower.State.LEADS) {
            leading = own.flight();
        }
        return before == Flights.Follower.State.WAITING;
    }

    /** Returns whether the flight (group of coalesced requests) that this request followed ended with this result. */
    boolean hasLanded(Flights.Landing result) {
        return followed != null && followed.landing() == result;
    }

    /**
     * Makes this request an additional leader of its flight (group of coalesced requests), because this request has
     * waited for the first leader for too long. One possible cause is that the client of the first leader does not read
     * its response.
     */
    void leadToo() {
        Flights.Flight own = followed;
        if (own != null) {
            own.lead();
            leading = own;
        }
    }

    /** Returns whether the request may wait for a leader again. */
    boolean mayFollowAgain() {
        return leading == null && followed != null && followed.landing() != Flights.Landing.UNCACHEABLE;
    }

    /** Ends the flight (group of coalesced requests) that this request leads. */
    void land(Flights.Landing result) {
        Flights.Flight own = leading;
        if (own != null) {
            leading = null;
            own.land(result);
        }
    }

    /**
     * Ends the flight (group of coalesced requests) that this request leads, because the response can't be stored. For
     * some time, requests with the name of this flight do not wait for each other, because their responses probably
     * can't be stored either.
     */
    void landUncacheable(long now) {
        if (name != null) {
            flights.uncacheable(name, TimeUnit.NANOSECONDS.toSeconds(now));
        }
        land(Flights.Landing.UNCACHEABLE);
    }

    /**
     * Makes the follower that has waited longest the leader of the flight (group of coalesced requests), because this
     * request, the current leader, has failed. May be called more than once.
     */
    void fail() {
        Flights.Flight own = leading;
        if (own != null) {
            leading = null;
            own.fail();
        }
    }

    /** Ends the wait of this request, because its exchange has ended. */
    void leave() {
        Flights.Follower waiting = following;
        if (waiting != null) {
            following = null;
            if (waiting.leave() == Flights.Follower.State.LEADS) {
                waiting.flight().fail();
            }
        }
    }
}
