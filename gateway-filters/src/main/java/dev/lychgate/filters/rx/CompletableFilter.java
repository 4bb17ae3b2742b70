package dev.lychgate.filters.rx;

import dev.lychgate.filter.AsyncFilter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import io.reactivex.rxjava3.core.Completable;
import java.util.concurrent.CompletionStage;

/** An asynchronous filter without a decision: when its {@link Completable} completes, the exchange proceeds. */
public interface CompletableFilter extends AsyncFilter {
    /**
     * Starts the filter's work on the exchange. Called on the event loop; must not block.
     *
     * @return completes when the exchange may proceed; an error counts as a failure of the filter
     * @throws Exception counts as a failure of the filter
     */
    Completable work(FilterExchange exchange) throws Exception;

    @Override
    default CompletionStage<FilterOutcome> filter(FilterExchange exchange) throws Exception {
        return RxStage.of(work(exchange));
    }
}
