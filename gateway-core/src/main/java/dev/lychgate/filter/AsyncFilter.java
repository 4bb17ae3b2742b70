package dev.lychgate.filter;

import java.util.concurrent.CompletionStage;

/**
 * A filter that answers later, from whatever thread. It is called on the event loop and must not block; the exchange
 * goes on, on its loop, when the stage completes. While it waits, nothing else touches the exchange.
 *
 * <p>If the exchange ends before, or the filter's time is over, the stage is cancelled
 * ({@code toCompletableFuture().cancel}), and whatever it completes with later is thrown away; the exchange must not be
 * used any more by then, and says so with an {@link IllegalStateException}.
 */
public interface AsyncFilter extends Filter {
    /**
     * Begins to look at the exchange.
     *
     * @return completes with {@link FilterOutcome#proceed()} or what ends the phase; never null
     * @throws Exception counts as a failure of the filter, as does a stage that fails or completes with null
     */
    CompletionStage<? extends FilterOutcome> filter(FilterExchange exchange) throws Exception;
}
