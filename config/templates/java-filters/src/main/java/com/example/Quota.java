package com.example;

import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.filter.Setting;
import dev.lychgate.filter.SyncFilter;

/** Rejects requests with too many items. One instance serves all requests, from several threads. */
public final class Quota implements InboundFilter, SyncFilter {
    /** The settings, which the configuration passes when it lists the filter. */
    public record Settings(
            @Setting(about = "the maximum number of items in a request", min = "1", max = "1000", defaultValue = "100")
                    int limit) {}

    private final Settings settings;

    public Quota(Settings settings) {
        this.settings = settings;
    }

    @Override
    public boolean applies(FilterExchange exchange) {
        return exchange.getRequest().getHeaders().get("x-items") != null;
    }

    /** Runs on an event loop, so it must not block. */
    @Override
    public FilterOutcome filter(FilterExchange exchange) {
        String items = exchange.getRequest().getHeaders().get("x-items");
        if (!items.matches("[0-9]{1,9}")) {
            return exchange.respond(400, "x-items is not a number");
        }
        return Integer.parseInt(items) > settings.limit()
                ? exchange.respond(422, "at most " + settings.limit() + " items")
                : exchange.proceed();
    }
}
