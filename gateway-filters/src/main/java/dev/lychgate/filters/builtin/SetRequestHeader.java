package dev.lychgate.filters.builtin;

import dev.lychgate.config.ConfigException;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.filter.SyncFilter;

/** Sets one field of every request, in place of what the client sent under that name. */
public final class SetRequestHeader implements InboundFilter, SyncFilter {
    private final Field field;

    /**
     * @param name a field name that is none of framing, routing or connection
     * @param value visible ASCII, blanks and tabs
     * @throws ConfigException if one of them can't be used
     */
    public SetRequestHeader(String name, String value) {
        this.field = Field.of(name, value);
    }

    @Override
    public String name() {
        return "set-request-header " + field.name();
    }

    @Override
    public FilterOutcome filter(FilterExchange exchange) {
        exchange.getRequest().getHeaders().set(field.name(), field.value());
        return exchange.proceed();
    }
}
