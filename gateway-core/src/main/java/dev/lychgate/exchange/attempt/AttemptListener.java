package dev.lychgate.exchange.attempt;

import dev.lychgate.error.GatewayError;
import dev.lychgate.http.ResponseHead;

/** Handles the events of an attempt: {@link Attempts} for the first attempt, {@link Hedge} for a concurrent one. */
interface AttemptListener {
    /** Called when the turn of a waiting attempt has come. */
    void onTurn(Attempt attempt);

    /** Called when the attempt has leased the connection that it waited for. */
    void onConnection(Attempt attempt);

    /** Handles an interim response. @return false if the limit of interim responses is exceeded, which fails the attempt */
    boolean onInformational(Attempt attempt, ResponseHead interim);

    void onResponseHead(Attempt attempt, ResponseHead head);

    /** Called when the attempt has failed but has not ended. */
    void onFailed(Attempt attempt, GatewayError error);

    /** Called when the origin connection is writable again. */
    void onWritable(Attempt attempt);

    /**
     * Fails the exchange if its client has stalled while other requests wait for the connection.
     *
     * @param patience tolerated stall in nanoseconds
     * @return whether the exchange has failed
     */
    boolean onWanted(long patience);
}
