package dev.lychgate.cache;

/**
 * Decides for one request whether the gateway may respond with a stale stored response because of overload. Used on the
 * event loop of the request.
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
     * Returns for how long a stored response may be sent after the end of its lifetime, in seconds; -1 if stale
     * responses under overload are not configured.
     */
    long seconds();

    /** Returns whether a stale response is sent without any attempt to forward the request to the origin. */
    boolean precedesOrigin();
}
