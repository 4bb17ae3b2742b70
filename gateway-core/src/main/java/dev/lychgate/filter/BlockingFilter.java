package dev.lychgate.filter;

/**
 * A filter that may block: it runs on a thread of its own, a virtual one where the JVM has them, and otherwise on one of a
 * bounded pool with a bounded queue; a full queue counts as a failure. While it runs, nothing else touches the exchange.
 * If the exchange ends or the filter's time is over, its thread is interrupted.
 */
public interface BlockingFilter extends Filter {
    /**
     * Looks at the exchange; {@link #applies} has been asked on the event loop.
     *
     * @return {@link FilterOutcome#proceed()}, or what ends the phase; never null
     * @throws Exception counts as a failure of the filter, see {@link #onFailure()}
     */
    FilterOutcome filter(FilterExchange exchange) throws Exception;
}
