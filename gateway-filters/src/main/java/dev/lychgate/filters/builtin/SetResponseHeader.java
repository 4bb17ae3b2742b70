package dev.lychgate.filters.builtin;

import dev.lychgate.config.ConfigException;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.OutboundFilter;
import dev.lychgate.filter.SyncFilter;

/** Sets one field of every answer, our own error answers included, in place of what the origin sent under that name. */
public final class SetResponseHeader implements OutboundFilter, SyncFilter {
    private final Field field;

    /**
     * @param name a field name that is none of framing, routing or connection
     * @param value visible ASCII, blanks and tabs
     * @throws ConfigException if one of them can't be used
     */
    public SetResponseHeader(String name, String value) {
        this.field = Field.of(name, value);
    }

    @Override
    public String name() {
        return "set-response-header " + field.name();
    }

    @Override
    public FilterOutcome filter(FilterExchange exchange) {
        exchange.getResponse().getHeaders().set(field.name(), field.value());
        return exchange.proceed();
    }
}
