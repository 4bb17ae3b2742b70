package dev.lychgate.exchange;

import dev.lychgate.error.GatewayError;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.origin.ResponseBodyListener;
import org.jspecify.annotations.Nullable;

/**
 * The role of the cache in one exchange. By default, the exchange continues as if there were no cache. Used on the
 * exchange's event loop.
 */
abstract class CacheRole {
    /** Adds conditions to the request for the origin. With these conditions, the origin validates a stored response. */
    void prepare(RequestHead head) {}

    /** Receives the accepted response of the origin, before the gateway changes it. */
    abstract void onAccepted(ResponseHead head);

    /** Returns whether a stored response replaces the accepted response. */
    boolean replacesResponse() {
        return false;
    }

    /**
     * Sends a stale response in place of a failure.
     *
     * @param error the failure; null if the failure is a response with an error status
     * @return whether there is a stale response
     */
    boolean respondsDespite(@Nullable GatewayError error) {
        return false;
    }

    /**
     * Sends a stale response in place of the error of a request that was shed.
     *
     * @return whether there is a stale response
     */
    boolean respondsToShed(GatewayError error) {
        return false;
    }

    /** Returns whether the body of the response is being stored. */
    boolean isStoring() {
        return false;
    }

    /**
     * Returns the object that receives the body of the origin's response. This object is {@code relay} if the cache
     * does not store the body.
     */
    ResponseBodyListener before(ResponseBodyListener relay) {
        return relay;
    }

    /** Ends a wait for the response to another request, because the exchange fails. */
    void cancel() {}

    /** Ends the use of the cache. Called at the end of the exchange. */
    void close() {}
}
