package dev.lychgate.filters.builtin;

import dev.lychgate.filter.AttributeKey;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.Headers;
import dev.lychgate.filter.OutboundFilter;
import java.util.List;

/**
 * Says in every answer whether pages of the asking origin may read it, in place of what the origin server says of that. Of
 * several that meet one exchange the first one speaks: the one that has answered the preflight, or that of the route.
 */
final class CorsFields extends Builtin implements OutboundFilter {
    /** The policy that holds for the exchange. */
    static final AttributeKey<CorsPolicy> POLICY = AttributeKey.of("cors", CorsPolicy.class);

    private static final List<String> ORIGINS_OWN =
            List.of("access-control-allow-origin", "access-control-allow-credentials", "access-control-expose-headers");

    private final CorsPolicy policy;

    CorsFields(Settings settings, CorsPolicy policy) {
        super(settings, "");
        this.policy = policy;
    }

    @Override
    public boolean applies(FilterExchange exchange) {
        CorsPolicy chosen = exchange.get(POLICY);
        return chosen == null || chosen.equals(policy);
    }

    @Override
    public FilterOutcome filter(FilterExchange exchange) {
        exchange.set(POLICY, policy);
        String origin = CorsPolicy.originOf(exchange.getRequest().getHeaders());
        Headers headers = exchange.getResponse().getHeaders();
        ORIGINS_OWN.forEach(headers::remove);
        policy.grant(headers, origin);
        if (!policy.expose().isEmpty() && headers.contains("access-control-allow-origin")) {
            headers.set("access-control-expose-headers", String.join(", ", policy.expose()));
        }
        return exchange.proceed();
    }
}
