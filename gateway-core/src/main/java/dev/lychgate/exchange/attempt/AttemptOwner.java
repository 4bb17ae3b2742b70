package dev.lychgate.exchange.attempt;

import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.filtering.Filtering;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.origin.ResponseBodyListener;

/** The exchange's callbacks for its attempts, called on the exchange's event loop. */
public interface AttemptOwner {
    Filtering filtering();

    /** Starts a retry, or the first attempt of a fallback, with the choice of an endpoint. */
    void onAttemptDue();

    /** Continues with the lease of a connection, once the attempt's turn has come. */
    void onTurn();

    /** Continues with sending, once the connection is leased. */
    void onConnection();

    void onInformational(ResponseHead interim);

    /** Observes the head of the accepted response as the origin sent it, before the gateway adds fields. */
    void onAccepted(ResponseHead head);

    /** Accepts the response of {@code attempt}; no other attempt follows. */
    void onResponse(Attempt attempt, ResponseHead head);

    /** Handles the failure of the last attempt. @param retryAfter seconds for {@code Retry-After}; 0 if unknown */
    void onExhausted(GatewayError error, int retryAfter);

    /** Handles a response that counts as a failure. @return whether a fallback replaces it */
    boolean onFailureStatus(ResponseHead head);

    /** See {@link AttemptListener#onWanted}. */
    boolean onConnectionWanted(long patience);

    void fail(GatewayError error);

    /** Fails the exchange with an error that is logged already. */
    void failLogged(GatewayError error);

    /** Handles a connection failure of an open tunnel. @return whether the exchange has ended */
    boolean onTunnelFailed();

    /** Flushes data that was written outside of a read. */
    void onResumed();

    /** Returns the receiver of the accepted response's body. */
    ResponseBodyListener responseBody();
}
