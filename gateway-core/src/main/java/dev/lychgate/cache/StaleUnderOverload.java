package dev.lychgate.cache;

/** The staleness of stored responses that the overload policy permits for one request. Used on the event loop of the request. */
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

    /** Returns the time after the end of its lifetime for which a response may be sent, in seconds; -1 if none is configured. */
    long seconds();

    /** Returns whether the response is sent to the request before the request is forwarded. */
    boolean precedesOrigin();
}
