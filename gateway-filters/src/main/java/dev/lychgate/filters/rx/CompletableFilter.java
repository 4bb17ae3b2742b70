package dev.lychgate.filters.rx;

import dev.lychgate.filter.AsyncFilter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import io.reactivex.rxjava3.core.Completable;
import java.util.concurrent.CompletionStage;

/** An asynchronous filter that makes no decision. When its {@link Completable} completes, the exchange continues. */
public interface CompletableFilter extends AsyncFilter {
    /**
     * Starts the filter's work on the exchange. Called on the event loop; must not block.
     *
     * @return completes when the exchange may continue; if it signals an error, the filter fails
     * @throws Exception if the filter fails
     */
    Completable work(FilterExchange exchange) throws Exception;

    @Override
    default CompletionStage<FilterOutcome> filter(FilterExchange exchange) throws Exception {
        return RxStage.of(work(exchange));
    }
}
