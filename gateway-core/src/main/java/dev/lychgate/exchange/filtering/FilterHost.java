package dev.lychgate.exchange.filtering;

import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.state.FilterStage;
import dev.lychgate.filter.FilterOutcome;
import java.util.concurrent.Executor;

/**
 * The interface through which filter runs report their outcomes to the exchange. The last action of a run is a call of
 * one of the first five methods. The exchange may therefore start the next stage during this call. Called on the
 * exchange's event loop.
 */
public interface FilterHost {
    /** Continues the exchange, because all filters of {@code stage} have run. */
    void onFiltered(FilterStage stage);

    /** Sends the response of a filter instead of the response of the route or of the origin. */
    void onFilterResponse(FilterStage stage, FilterOutcome.Respond response);

    /**
     * Fails the exchange, because a filter has rejected the request, or because a filter that fails closed has failed.
     */
    void onFilterFailure(FilterStage stage, GatewayError error);

    /**
     * Pauses the exchange, because a filter returns its outcome later. Before the outcome, the exchange may end but not
     * continue.
     */
    void onFilterPending(FilterStage stage);

    /** Reads the rest of the body, because a filter needs the whole body. */
    void readWholeBody(FilterStage stage);

    /**
     * Fails the exchange, because processing the outcome of a filter threw an exception.
     *
     * @param what describes the failed operation, for the log
     */
    void onFault(String what, Throwable cause);

    /** Flushes the data that a run has written since its pending filter completed. */
    void onResumed();

    /** Continues the response body, because a filter accepts more of the body again. */
    void onBodyDemand();

    /**
     * Continues to send the request body, because a filter accepts more of the body again, or has ended the request.
     */
    void onRequestDemand();

    /** Called when a filter has ended the request, possibly after the client has ended its request. */
    void onRequestSent();

    void fail(GatewayError error);

    /** Fails the exchange, like {@link #fail}, with an error that has been logged. */
    void failLogged(GatewayError error);

    /**
     * Creates the sender of the filters' call-outs.
     *
     * @param completing runs the continuations of the filter that sent a call-out
     */
    CallSender newCalls(Executor completing);

    /**
     * Sets the deadline of the exchange to {@code nanos} nanoseconds from now, because a filter limits the duration of
     * the exchange.
     */
    void limit(long nanos);
}
