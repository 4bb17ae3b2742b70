package dev.lychgate.filters.rx;

import dev.lychgate.filter.AsyncFilter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import io.reactivex.rxjava3.core.Maybe;
import java.util.concurrent.CompletionStage;

/** An asynchronous filter with an optional decision. If its {@link Maybe} is empty, the exchange continues. */
public interface MaybeFilter extends AsyncFilter {
    /**
     * Starts the decision about the exchange. Called on the event loop; must not block.
     *
     * @return emits the filter's decision. If it completes without an item, the exchange continues. If it signals an
     *     error, the filter fails
     * @throws Exception if the filter fails
     */
    Maybe<? extends FilterOutcome> decide(FilterExchange exchange) throws Exception;

    @Override
    default CompletionStage<FilterOutcome> filter(FilterExchange exchange) throws Exception {
        return RxStage.of(decide(exchange));
    }
}
