package dev.lychgate.filter;

import java.util.concurrent.CompletionStage;

/**
 * A filter that decides later, on any thread. {@link #filter} is called on the event loop and must not block. The
 * exchange continues on its event loop when the returned stage completes; until then, no other code uses the exchange.
 *
 * <p>If the exchange ends earlier or the timeout expires, the stage is cancelled
 * ({@code toCompletableFuture().cancel}), and a later result of the stage is ignored. From then on, any use of the
 * exchange fails with an {@link IllegalStateException}.
 */
public interface AsyncFilter extends Filter {
    /**
     * Starts to process the exchange.
     *
     * @return a stage that completes with {@link FilterOutcome#proceed()} or the outcome that ends the phase; never null
     * @throws Exception counts as a failure of the filter, as does a stage that fails or completes with null
     */
    CompletionStage<? extends FilterOutcome> filter(FilterExchange exchange) throws Exception;
}
