package dev.lychgate.filters.testing;

import dev.lychgate.filter.AttributeKey;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.filter.SyncFilter;
import java.util.Map;

/** Puts on an exchange what a test wants to be there, before all filters of the test. */
record GivenAttributes(Map<AttributeKey<?>, Object> attributes) implements InboundFilter, SyncFilter {
    @Override
    public int order() {
        return Integer.MIN_VALUE;
    }

    @Override
    public FilterOutcome filter(FilterExchange exchange) {
        attributes.forEach((key, value) -> set(exchange, key, value));
        return exchange.proceed();
    }

    private static <T> void set(FilterExchange exchange, AttributeKey<T> key, Object value) {
        exchange.set(key, key.type().cast(value));
    }
}
