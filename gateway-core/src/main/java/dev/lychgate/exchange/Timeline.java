package dev.lychgate.exchange;

/**
 * When an exchange came how far; points in time in nanoseconds of {@link System#nanoTime()}, 0 where it did not come so
 * far. Written by the exchange, read by its observer.
 */
public final class Timeline {
    long began;
    long connectionWanted;
    long connected;
    long firstByte;
    long ended;

    Timeline(long began) {
        this.began = began;
    }

    /** From the request head to the last byte of the answer, in nanoseconds. */
    public long total() {
        return ended - began;
    }

    /** Waiting for a connection, connects included, in nanoseconds; -1 if none came. */
    public long poolWait() {
        return connected == 0 ? -1 : connected - connectionWanted;
    }

    /** From the request to the head of the origin's answer, in nanoseconds; -1 if none came. */
    public long firstByte() {
        return firstByte == 0 ? -1 : firstByte - began;
    }
}
