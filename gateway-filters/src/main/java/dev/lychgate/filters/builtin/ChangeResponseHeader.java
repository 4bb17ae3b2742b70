package dev.lychgate.filters.builtin;

import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.OutboundFilter;

/** Changes one field of every answer, our own error answers included. */
final class ChangeResponseHeader extends Builtin implements OutboundFilter {
    private final HeaderChange change;

    ChangeResponseHeader(Settings settings, HeaderChange change) {
        super(settings, change.field());
        this.change = change;
    }

    @Override
    public FilterOutcome filter(FilterExchange exchange) {
        change.apply(exchange.getResponse().getHeaders());
        return exchange.proceed();
    }
}
