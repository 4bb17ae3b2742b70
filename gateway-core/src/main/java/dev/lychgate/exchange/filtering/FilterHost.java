package dev.lychgate.exchange.filtering;

import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.state.FilterStage;
import dev.lychgate.filter.FilterOutcome;
import java.util.concurrent.Executor;

/**
 * The exchange, as its running filters need it: it acts on their decisions. A run calls one of the first five methods as its
 * last act, so that the next stage may run from there. Called on the exchange's event loop.
 */
public interface FilterHost {
    /** All filters of {@code stage} have run, and the exchange continues. */
    void onFiltered(FilterStage stage);

    /** A filter responds in place of the route or of the response that it saw. */
    void onFilterResponse(FilterStage stage, FilterOutcome.Respond response);

    /** A filter refuses the exchange, or has failed and fails closed. */
    void onFilterFailure(FilterStage stage, GatewayError error);

    /** A filter decides later. Only the end of the exchange may occur until then. */
    void onFilterPending(FilterStage stage);

    /** A filter needs the whole body of its message: the rest has to be read. */
    void readWholeBody(FilterStage stage);

    /** Acting on a filter's decision has thrown. @param what a description of the failed step */
    void onFault(String what, Throwable cause);

    /** A pending run has paused again: its writes have to be flushed. */
    void onResumed();

    /** A filter that refused more of the response accepts it now. */
    void onBodyDemand();

    /** A filter that refused more of the request accepts it now, or has ended the request. */
    void onRequestDemand();

    /** A filter has ended the request, possibly later than the client. */
    void onRequestSent();

    void fail(GatewayError error);

    /** Like {@link #fail}, for an error that is logged already. */
    void failLogged(GatewayError error);

    /** Returns what sends the call-outs of filters. @param completing runs continuations of the filter that called */
    CallSender newCalls(Executor completing);

    /** A filter limits the exchange to {@code nanos} from now on. */
    void limit(long nanos);
}
