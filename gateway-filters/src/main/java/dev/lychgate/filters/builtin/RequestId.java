package dev.lychgate.filters.builtin;

import dev.lychgate.config.ConfigException;
import dev.lychgate.filter.AttributeKey;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.filter.OutboundFilter;
import dev.lychgate.http.ForwardingHeaders;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives every request an id under a field of its own: the client's, where that is trusted and plain, or else the one under
 * which the exchange stands in all logs. What goes to the client says it, too.
 */
final class RequestId extends Builtin implements InboundFilter {
    private static final String OURS = "x-request-id";

    private final String field;
    private final boolean trust;
    private final AttributeKey<String> chosen;

    private RequestId(Settings settings, String field, AttributeKey<String> chosen) {
        super(settings, field);
        this.field = field;
        this.trust = settings.flag("trust");
        this.chosen = chosen;
        if (trust && field.equalsIgnoreCase(OURS)) {
            throw new ConfigException("trust", true, "false: whose X-Request-Id is believed, trusted-proxies says");
        }
    }

    /** One filter for the request, and one for the answer unless that is not wanted. */
    static List<Filter> filters(Settings settings) {
        String field = fieldName("name", settings.text("name"));
        AttributeKey<String> chosen = AttributeKey.of("request-id " + field, String.class);
        List<Filter> filters = new ArrayList<>();
        filters.add(new RequestId(settings, field, chosen));
        if (settings.flag("respond")) {
            filters.add(new Echo(settings, field, chosen));
        }
        return filters;
    }

    @Override
    public FilterOutcome filter(FilterExchange exchange) {
        List<String> given = exchange.getRequest().getHeaders().getAll(field);
        boolean usable = trust && given.size() == 1 && ForwardingHeaders.isPlainId(given.get(0));
        String id = usable ? given.get(0) : exchange.getRequestId();
        exchange.getRequest().getHeaders().set(field, id);
        exchange.set(chosen, id);
        return exchange.proceed();
    }

    /** Says it to the client; of requests that were refused before they had one, the id that stands in the logs. */
    private static final class Echo extends Builtin implements OutboundFilter {
        private final String field;
        private final AttributeKey<String> chosen;

        Echo(Settings settings, String field, AttributeKey<String> chosen) {
            super(settings, field);
            this.field = field;
            this.chosen = chosen;
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            String id = exchange.get(chosen);
            exchange.getResponse().getHeaders().set(field, id == null ? exchange.getRequestId() : id);
            return exchange.proceed();
        }
    }
}
