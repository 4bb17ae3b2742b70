package dev.lychgate.exchange;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.config.RouteAction;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.attempt.Attempts;
import dev.lychgate.exchange.state.FilterStage;
import dev.lychgate.http.ResponseHead;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Exchange operations for {@link FailureHandler} and {@link Fallback}. Called on the exchange's event loop. */
interface FailureOwner {
    /** Returns the attempts. Called only after the exchange has created them. */
    Attempts requireAttempts();

    /**
     * Ends all activities of the exchange: filters, injected faults, the wait for a rate limit, and attempts.
     *
     * @param why the failure of the exchange
     */
    void stop(GatewayError why);

    /** Informs the mirror that the exchange ends or continues at another upstream. The copy may continue. */
    void leaveCopy();

    /**
     * Runs {@code chain} unless the chain is empty. The outcome may be reported before this method returns.
     *
     * @return false if the chain is empty, so that the caller continues
     */
    boolean runs(FilterStage stage, FilterSlot[] chain);

    /**
     * Sends a response of the gateway.
     *
     * @param body the whole body; the exchange owns it from now on
     * @param recorded the status for observers if the sent status does not express the result, for example for a gRPC
     *     error; 0 if observers get the sent status
     */
    void respond(ResponseHead local, ByteBuf body, int recorded);

    /** Returns the fixed response for a request that was shed; null if the client gets the usual error response. */
    RouteAction.@Nullable Respond overloadPage();

    /** Discards a response that will not be sent. */
    void dropResponse();

    /** Fails the exchange. */
    void fail(GatewayError error);

    /** Ends the exchange with an incomplete response: closes the client's connection or resets its stream. */
    void abort();
}
