package dev.lychgate.filter;

import java.util.concurrent.CompletionStage;

/**
 * A filter that returns its decision later, from any thread. {@link #filter} is called on the event loop and must not
 * block. The exchange continues on its event loop when the returned stage completes; until then, no other code uses the
 * exchange.
 *
 * <p>If the exchange ends or the timeout expires before the stage completes, the gateway cancels the stage
 * ({@code toCompletableFuture().cancel}) and ignores its later result. From then on, each use of the exchange by this
 * filter fails with an {@link IllegalStateException}.
 */
public interface AsyncFilter extends Filter {
    /**
     * Starts to process the exchange. Called after {@link #applies} has returned true.
     *
     * @return a stage that completes with {@link FilterOutcome#proceed()} or the outcome that ends the phase; never
     *     null
     * @throws Exception counts as a failure of the filter. A stage that fails, or completes with null, also counts as a
     *     failure
     */
    CompletionStage<? extends FilterOutcome> filter(FilterExchange exchange) throws Exception;
}
