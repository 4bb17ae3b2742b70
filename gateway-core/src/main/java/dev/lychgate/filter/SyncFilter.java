package dev.lychgate.filter;

/**
 * A filter that returns its decision immediately. It runs on the event loop, which also serves other exchanges, so it
 * must not block.
 */
public interface SyncFilter extends Filter {
    /**
     * Processes the exchange.
     *
     * @return {@link FilterOutcome#proceed()}, or the outcome that ends the phase; never null
     * @throws Exception counts as a failure of the filter, see {@link #onFailure()}
     */
    FilterOutcome filter(FilterExchange exchange) throws Exception;
}
