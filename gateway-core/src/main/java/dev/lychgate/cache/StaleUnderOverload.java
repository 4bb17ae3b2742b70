package dev.lychgate.cache;

/**
 * States how long a stored response may be stale when the overload policy sends it in response to one request. Used on
 * the event loop of the request.
 */
public interface StaleUnderOverload {
    /** Permits no stale response. */
    StaleUnderOverload NONE = new StaleUnderOverload() {
        @Override
        public long seconds() {
            return CacheControl.ABSENT;
        }

        @Override
        public boolean precedesOrigin() {
            return false;
        }
    };

    /**
     * Returns the maximum time between the end of a stored response's lifetime and its use, in seconds; -1 if no stale
     * responses are configured.
     */
    long seconds();

    /** Returns whether a stale response is sent without an attempt to forward the request. */
    boolean precedesOrigin();
}
