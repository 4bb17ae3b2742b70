package dev.lychgate.exchange.attempt;

import dev.lychgate.error.GatewayError;
import dev.lychgate.http.ResponseHead;

/**
 * Handles the events of an attempt. {@link Attempts} handles the events of the current attempt, {@link Hedge} the
 * events of a concurrent attempt.
 */
interface AttemptListener {
    /** Called when an attempt that waited for a turn may continue. */
    void onTurn(Attempt attempt);

    /** Called when the attempt has leased the connection for which it waited. */
    void onConnection(Attempt attempt);

    /**
     * Handles an interim response.
     *
     * @return whether the number of interim responses is within the limit; if false, the attempt fails
     */
    boolean onInformational(Attempt attempt, ResponseHead interim);

    void onResponseHead(Attempt attempt, ResponseHead head);

    /** Called when the attempt has failed. The listener must end the attempt. */
    void onFailed(Attempt attempt, GatewayError error);

    /** Called when the origin connection is writable again. */
    void onWritable(Attempt attempt);

    /**
     * Called when other requests wait for the connection of the attempt. Fails the exchange if its client has stalled
     * for at least {@code patience}.
     *
     * @param patience the longest tolerated stall, in nanoseconds
     * @return whether the exchange has failed
     */
    boolean onWanted(long patience);
}
