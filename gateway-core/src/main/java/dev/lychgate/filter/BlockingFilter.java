package dev.lychgate.filter;

/**
 * A filter that may block. From JDK 21 on, the gateway runs the filter on a virtual thread. On older JDKs, the gateway
 * uses a bounded pool of threads with a bounded queue; a full queue counts as a failure of the filter.
 *
 * <p>While the filter runs, no other code uses the exchange. The thread of the filter is interrupted when the exchange
 * ends or the timeout expires.
 */
public interface BlockingFilter extends Filter {
    /**
     * Processes the exchange. Called on a thread that may block, after {@link #applies} has returned true on the event
     * loop.
     *
     * @return {@link FilterOutcome#proceed()}, or the outcome that ends the phase; never null
     * @throws Exception counts as a failure of the filter, see {@link #onFailure()}
     */
    FilterOutcome filter(FilterExchange exchange) throws Exception;
}
