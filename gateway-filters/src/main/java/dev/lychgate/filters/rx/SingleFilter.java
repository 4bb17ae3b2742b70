package dev.lychgate.filters.rx;

import dev.lychgate.filter.AsyncFilter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import io.reactivex.rxjava3.core.Single;
import java.util.concurrent.CompletionStage;

/**
 * An asynchronous filter that returns its decision as a {@link Single}. If the decision is available immediately, the
 * exchange continues on the same thread.
 */
public interface SingleFilter extends AsyncFilter {
    /**
     * Starts the decision about the exchange. Called on the event loop; must not block.
     *
     * @return emits the filter's decision; if it signals an error, the filter fails
     * @throws Exception if the filter fails
     */
    Single<? extends FilterOutcome> decide(FilterExchange exchange) throws Exception;

    @Override
    default CompletionStage<FilterOutcome> filter(FilterExchange exchange) throws Exception {
        return RxStage.of(decide(exchange));
    }
}
