package dev.lychgate.origin;

import dev.lychgate.loop.DeadlineWheel;

/**
 * Records the age of a connection to an origin and the number of its requests. Times are in nanoseconds. Used only on
 * the connection's event loop.
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

    /** Returns the wheel time at which the connection was opened. */
    public long createdAt() {
        return createdAt;
    }

    /** Returns the wheel time at which the connection became idle; undefined while it is leased. */
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

    /** Returns the time that the connection took to open, name resolution included. */
    long connectNanos() {
        return connectNanos;
    }

    void connectTook(long nanos) {
        connectNanos = nanos;
    }
}
