package dev.lychgate.filter;

/** A filter that answers at once. Runs on the event loop, between all others that live there: it must not block. */
public interface SyncFilter extends Filter {
    /**
     * Looks at the exchange.
     *
     * @return {@link FilterOutcome#proceed()}, or what ends the phase; never null
     * @throws Exception counts as a failure of the filter, see {@link #onFailure()}
     */
    FilterOutcome filter(FilterExchange exchange) throws Exception;
}
