package dev.lychgate.exchange.attempt;

import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.filtering.Filtering;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.origin.ResponseBodyListener;

/** The callbacks with which attempts report to their exchange. Called on the exchange's event loop. */
public interface AttemptOwner {
    Filtering filtering();

    /** Chooses an endpoint for a retry or for the first attempt of a fallback. */
    void onAttemptDue();

    /**
     * Leases a connection. Called when the attempt has waited for a turn of the event loop, and this turn has begun.
     */
    void onTurn();

    /** Sends the request. Called when the attempt has leased a connection. */
    void onConnection();

    void onInformational(ResponseHead interim);

    /** Observes the accepted response head before the gateway changes it. */
    void onAccepted(ResponseHead head);

    /** Processes the accepted response of {@code attempt}. No other attempt follows. */
    void onResponse(Attempt attempt, ResponseHead head);

    /**
     * Handles the failure of the last attempt.
     *
     * @param retryAfter the number of seconds for {@code Retry-After}; 0 if unknown
     */
    void onExhausted(GatewayError error, int retryAfter);

    /**
     * Handles a response that counts as a failure.
     *
     * @return whether a fallback replaces the response
     */
    boolean onFailureStatus(ResponseHead head);

    /**
     * Handles the case that other requests wait for the connection of the attempt; see {@link
     * AttemptListener#onWanted}.
     */
    boolean onConnectionWanted(long patience);

    void fail(GatewayError error);

    /** Fails the exchange with an error that has been logged. */
    void failLogged(GatewayError error);

    /**
     * Handles the failure of an attempt if the attempt has become a tunnel that is closing.
     *
     * @return whether the exchange has ended, so that the failure requires no other handling
     */
    boolean onTunnelFailed();

    /** Flushes data that was written while no read from the client or origin was in progress. */
    void onResumed();

    /** Returns the receiver of the accepted response's body. */
    ResponseBodyListener responseBody();
}
