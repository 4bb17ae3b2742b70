package dev.lychgate.filters.rx;

import dev.lychgate.filter.AsyncFilter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import io.reactivex.rxjava3.core.Maybe;
import java.util.concurrent.CompletionStage;

/** An asynchronous filter that may have something against the exchange: if its {@link Maybe} is empty, it goes on. */
public interface MaybeFilter extends AsyncFilter {
    /**
     * Begins to look at the exchange. Called on the event loop; must not block.
     *
     * @return emits what the filter decides, nothing if the exchange goes on; its error is the filter's failure
     * @throws Exception counts as a failure of the filter
     */
    Maybe<? extends FilterOutcome> decide(FilterExchange exchange) throws Exception;

    @Override
    default CompletionStage<FilterOutcome> filter(FilterExchange exchange) throws Exception {
        return RxStage.of(decide(exchange));
    }
}
