package dev.lychgate.exchange;

/**
 * When an exchange came how far. Points in time are nanoseconds of {@link System#nanoTime()}, 0 where it did not come so
 * far. Written by the exchange, read by its observer.
 */
public final class Timeline {
    private static final long UNKNOWN = -1;

    final long began;
    long firstByte;
    long ended;
    private long connectionWanted;
    private long poolWait = UNKNOWN;
    private long connect = UNKNOWN;

    Timeline(long began) {
        this.began = began;
    }

    /** An attempt begins: what an earlier one measured no longer holds. */
    void attemptBegins() {
        poolWait = UNKNOWN;
        connect = UNKNOWN;
    }

    /** A connection was at hand. */
    void connectionAtHand() {
        poolWait = 0;
    }

    /** No connection is at hand: the wait begins. */
    void connectionWanted(long now) {
        connectionWanted = now;
    }

    /** The wait is over. @param connectTook how long the connection took to open; -1 if it had been open already */
    void connected(long now, long connectTook) {
        poolWait = now - connectionWanted;
        connect = connectTook;
    }

    /** From the request head to the last byte of the answer, in nanoseconds. */
    public long total() {
        return ended - began;
    }

    /**
     * The last attempt's wait for a connection, connects included, in nanoseconds: 0 if one was at hand; -1 if none came.
     */
    public long poolWait() {
        return poolWait;
    }

    /**
     * How long the connection of the last attempt took to open, name resolution included, in nanoseconds; -1 if it had
     * been open before, or if none came.
     */
    public long connect() {
        return connect;
    }

    /** From the request to the head of the origin's answer, in nanoseconds; -1 if none came. */
    public long firstByte() {
        return firstByte == 0 ? UNKNOWN : firstByte - began;
    }
}
