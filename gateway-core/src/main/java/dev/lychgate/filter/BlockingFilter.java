package dev.lychgate.filter;

/**
 * A filter that may block. From JDK 21 on, it runs on a virtual thread; on older JDKs, on a thread of a bounded pool
 * with a bounded queue. A full queue counts as a failure of the filter. While the filter runs, no other code uses the
 * exchange. The thread of the filter is interrupted when the exchange ends or the timeout expires.
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
