package dev.lychgate.exchange.attempt;

import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.filtering.Filtering;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.origin.ResponseBodyListener;

/** The exchange, as its attempts need it. Called on the exchange's event loop. */
public interface AttemptOwner {
    /** Returns the filters' part in the exchange. */
    Filtering filtering();

    /** Another attempt is due: a retry, or the first one of a fallback. It continues with the choice of an endpoint. */
    void onAttemptDue();

    /** The event loop has come to the attempt: it continues with the lease of a connection. */
    void onTurn();

    /** The connection that the attempt waited for is there: it continues with sending. */
    void onConnection();

    /** An interim response (1xx) has arrived. */
    void onInformational(ResponseHead interim);

    /** The response of {@code attempt} is accepted: there will be no other. */
    void onResponse(Attempt attempt, ResponseHead head);

    /** No attempt is left. @param retryAfter seconds after which a client may try again; 0 if unknown */
    void onExhausted(GatewayError error, int retryAfter);

    /** The response counts as a failure. @return whether a fallback takes its place */
    boolean onFailureStatus(ResponseHead head);

    /** See {@link AttemptListener#onWanted}. */
    boolean onConnectionWanted(long patience);

    /** The exchange fails. */
    void fail(GatewayError error);

    /** As {@link #fail}, for an error that is logged already. */
    void failLogged(GatewayError error);

    /** A tunnel is open and its connection has failed. @return whether the exchange is over by that */
    boolean onTunnelFailed();

    /** Something was written outside of any read: it has to be flushed. */
    void onResumed();

    /** Receives the body of the accepted response. */
    ResponseBodyListener responseBody();
}
