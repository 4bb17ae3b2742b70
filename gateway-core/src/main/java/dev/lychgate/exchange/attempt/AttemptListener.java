package dev.lychgate.exchange.attempt;

import dev.lychgate.error.GatewayError;
import dev.lychgate.http.ResponseHead;

/** Decides about an attempt as it proceeds: {@link Attempts} for the first, {@link Hedge} for one beside it. */
interface AttemptListener {
    /** The event loop has come to an attempt that waited for its turn. */
    void onTurn(Attempt attempt);

    /** The connection that the attempt waited for is there. */
    void onConnection(Attempt attempt);

    /** @return false if the origins of the exchange have sent too many, for which the attempt fails */
    boolean onInformational(Attempt attempt, ResponseHead interim);

    void onResponseHead(Attempt attempt, ResponseHead head);

    /** The attempt has failed; it is not over yet. */
    void onFailed(Attempt attempt, GatewayError error);

    /** The origin can take more of the request. */
    void onWritable(Attempt attempt);

    /**
     * Other requests wait for the connection: the exchange fails if its client has delayed it for too long.
     *
     * @param patience in nanoseconds
     * @return whether it has failed
     */
    boolean onWanted(long patience);
}
