package dev.lychgate.limit;

/**
 * The buckets of rate limits that several gateways share, in another system such as Redis. The object that an extension
 * opens implements this interface; {@link dev.lychgate.limit the package} describes how limits use it. Thread-safe.
 *
 * <p>Event loops call the methods. No method may block or throw, or acquire a lock that a thread of the store may hold.
 *
 * <p>A bucket follows the generic cell rate algorithm: the store contains the time at which the bucket is full again,
 * by the clock of the store. A bucket that the store does not contain is full.
 */
public interface BucketStore {
    /**
     * A bucket of a shared limit.
     *
     * @param name 32 hexadecimal digits, which contain no data of clients
     * @param interval the time in which the bucket regains one unit, in nanoseconds
     * @param burst the number of units in a full bucket
     */
    record Bucket(String name, double interval, long burst) {}

    /** Receives the result of one {@link #ask}, exactly once, on any thread. Does not block. */
    interface Outcome {
        /**
         * Called when the store has responded.
         *
         * @param granted the number of units that were taken, at most {@code wanted}
         * @param left the number of units that the bucket has left; negative if the bucket is in debt
         * @param wait the time until the bucket contains a unit, in nanoseconds; 0 if the bucket contains a unit
         */
        void granted(long granted, long left, long wait);

        /**
         * Called when the store does not respond or has failed. It is unknown whether the store has changed the bucket.
         */
        void failed();
    }

    /**
     * Begins the use of the store by a gateway. Called for each generation that takes effect and uses the store, so the
     * implementation must ignore all calls after the first call. Not called for a configuration that is only validated.
     * Not called on an event loop.
     */
    default void begin() {}

    /**
     * Charges {@code owed} units to a bucket, and then takes up to {@code wanted} units from the bucket. Both changes
     * are one atomic step.
     *
     * @param owed the number of units to charge even if the bucket gets into debt; a negative number returns units
     * @param wanted the number of units to take if the bucket contains them; with 0, the call only returns the state of
     *     the bucket
     */
    void ask(Bucket bucket, long owed, long wanted, Outcome outcome);

    /**
     * Returns the number of parts of the store, at least 1. A part, such as a server with some of the buckets, fails
     * independently of the other parts.
     */
    int parts();

    /**
     * Returns the number of the part that contains a bucket, counted from 0.
     *
     * @param name the {@linkplain Bucket#name name} of the bucket
     */
    int partOf(String name);

    /** Returns how many gateways used this store when it last responded, including this gateway; at least 1. */
    int gateways();

    /** Returns the time after which an outstanding response counts as a loss of the store, in nanoseconds. */
    long deadline();
}
