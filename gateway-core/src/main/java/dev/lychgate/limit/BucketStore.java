package dev.lychgate.limit;

/**
 * The buckets of rate limits that several gateways share, in another system. The object that an extension opens implements it
 * ({@link dev.lychgate.limit the package} describes how limits use it). Thread-safe; no method blocks, acquires a lock that a thread
 * of the store may hold, or throws, because event loops call them.
 *
 * <p>A bucket follows the generic cell rate algorithm: it is the time at which it is full again, by the clock of the store. A bucket
 * that the store does not contain is full.
 */
public interface BucketStore {
    /**
     * A bucket.
     *
     * @param name 32 hexadecimal digits, which contain no data of clients
     * @param interval nanoseconds in which it regains one unit
     * @param burst the units of a full bucket
     */
    record Bucket(String name, double interval, long burst) {}

    /** Receives the result of one {@link #ask}, exactly once, on any thread. Does not block. */
    interface Outcome {
        /**
         * The store has responded.
         *
         * @param granted the units that were taken, at most those wanted
         * @param left the units that the bucket has left; negative if it is in debt
         * @param wait nanoseconds until the bucket has a unit; 0 if it has one
         */
        void granted(long granted, long left, long wait);

        /** The store does not respond, or has failed. Whether it has changed the bucket is unknown. */
        void failed();
    }

    /**
     * A gateway uses the store from now on. Until then, the configuration that names it may only be validated. Called for each
     * generation with the store, so that only the first call has an effect; not on an event loop.
     */
    default void begin() {}

    /**
     * Charges a bucket and then takes units from it, in one step.
     *
     * @param owed units that are charged even if the bucket gets into debt; negative to return units
     * @param wanted units that are taken as far as the bucket has them; 0 only asks for its state
     */
    void ask(Bucket bucket, long owed, long wanted, Outcome outcome);

    /**
     * Returns the number of parts, at least 1. A part fails as a whole, independently of the others, such as the servers of some of
     * the buckets.
     */
    int parts();

    /**
     * Returns the part that has a bucket, from 0.
     *
     * @param name the {@linkplain Bucket#name name} of the bucket
     */
    int partOf(String name);

    /** Returns how many gateways used this store when it last responded, this one included; at least 1. */
    int gateways();

    /** Returns the nanoseconds after which an outstanding response counts as a loss of the store. */
    long deadline();
}
