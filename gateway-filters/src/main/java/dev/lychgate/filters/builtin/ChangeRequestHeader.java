package dev.lychgate.filters.builtin;

import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.InboundFilter;

/** Changes one field of every request. */
final class ChangeRequestHeader extends Builtin implements InboundFilter {
    private final HeaderChange change;

    ChangeRequestHeader(Settings settings, HeaderChange change) {
        super(settings, change.field());
        this.change = change;
    }

    @Override
    public FilterOutcome filter(FilterExchange exchange) {
        change.apply(exchange.getRequest().getHeaders());
        return exchange.proceed();
    }
}
