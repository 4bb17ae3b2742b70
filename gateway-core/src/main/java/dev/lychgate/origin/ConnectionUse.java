package dev.lychgate.origin;

import dev.lychgate.loop.DeadlineWheel;

/**
 * Records the age of a connection to an origin, and the number of requests on it. Times are in nanoseconds. Used only
 * on the connection's event loop.
 */
public final class ConnectionUse {
    private final DeadlineWheel wheel;
    private final long createdAt;
    private long idleSince;
    private long connectNanos;
    private int requests;

    ConnectionUse(DeadlineWheel wheel) {
        this.wheel = wheel;
        this.createdAt = wheel.now();
        this.idleSince = createdAt;
    }

    /** Returns the time at which the connection was opened, on the clock of the deadline wheel. */
    public long createdAt() {
        return createdAt;
    }

    /**
     * Returns the time at which the connection became idle, on the clock of the deadline wheel; undefined while the
     * connection is leased.
     */
    public long idleSince() {
        return idleSince;
    }

    void onIdle() {
        idleSince = wheel.now();
    }

    /** Returns the number of requests that have begun on the connection. */
    public int requests() {
        return requests;
    }

    void onRequest() {
        requests++;
    }

    /**
     * Returns the time from the start of the connect until the connection was open, in nanoseconds. Includes name
     * resolution.
     */
    long connectNanos() {
        return connectNanos;
    }

    void connectTook(long nanos) {
        connectNanos = nanos;
    }
}
