package dev.lychgate.filter;

/**
 * A filter that may block. It runs on a virtual thread from JDK 21 on, otherwise on a thread of a bounded pool with a bounded
 * queue; a full queue counts as a failure of the filter. While it runs, no other code uses the exchange. Its thread is
 * interrupted when the exchange ends or the timeout expires.
 */
public interface BlockingFilter extends Filter {
    /**
     * Processes the exchange. {@link #applies} was called on the event loop before.
     *
     * @return {@link FilterOutcome#proceed()}, or the outcome that ends the phase; never null
     * @throws Exception counts as a failure of the filter, see {@link #onFailure()}
     */
    FilterOutcome filter(FilterExchange exchange) throws Exception;
}
