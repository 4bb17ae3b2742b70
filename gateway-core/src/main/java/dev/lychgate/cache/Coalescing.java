package dev.lychgate.cache;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The role of one request in the coalescing of requests: it leads a flight, follows a flight, or does neither. Used on
 * one event loop.
 */
final class Coalescing {
    private final Flights flights;
    /** The name of the flights of this request; null until it is needed. */
    private @Nullable String name;

    private Flights.@Nullable Flight leading;
    private Flights.@Nullable Follower following;

    /** The flight that this request followed last. */
    private Flights.@Nullable Flight followed;

    Coalescing(Flights flights) {
        this.flights = flights;
    }

    /** The result of {@link #join}. */
    enum Part {
        /** Requests with this name do not wait for each other. */
        ALONE,
        /**
         * The request must search the cache again. Either it leads, or the flight of another request has just landed.
         * In both cases, a response may have been stored in the meantime.
         */
        SEARCHES,
        /** The request waits. */
        WAITS
    }

    /**
     * Makes this request the leader of the requests with a name, or a follower of their current leader.
     *
     * @param wake runs when the other request has a result or has failed, possibly on another event loop
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
     * @return whether the other request is still in progress, which means that this request has waited for too long
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

    /** Returns whether the flight that this request followed ended with this result. */
    boolean hasLanded(Flights.Landing result) {
        return followed != null && followed.landing() == result;
    }

    /**
     * Makes this request an additional leader, because it has waited for the leader for too long. For example, the
     * client of the leader does not read its response.
     */
    void leadToo() {
        Flights.Flight own = followed;
        if (own != null) {
            own.lead();
            leading = own;
        }
    }

    /** Returns whether the request may follow a leader again. */
    boolean mayFollowAgain() {
        return leading == null && followed != null && followed.landing() != Flights.Landing.UNCACHEABLE;
    }

    /** Ends the flight that this request leads. */
    void land(Flights.Landing result) {
        Flights.Flight own = leading;
        if (own != null) {
            leading = null;
            own.land(result);
        }
    }

    /**
     * Ends the flight, because its response can't be stored. The responses to the next requests probably can't be
     * stored either.
     */
    void landUncacheable(long now) {
        if (name != null) {
            flights.uncacheable(name, TimeUnit.NANOSECONDS.toSeconds(now));
        }
        land(Flights.Landing.UNCACHEABLE);
    }

    /**
     * Makes the next request the leader of the flight, because this request has failed. May be called more than once.
     */
    void fail() {
        Flights.Flight own = leading;
        if (own != null) {
            leading = null;
            own.fail();
        }
    }

    /** Ends the wait at the end of the exchange. */
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
