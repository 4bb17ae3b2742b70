package dev.lychgate.filters.builtin;

import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.Headers;
import dev.lychgate.filter.InboundFilter;

/**
 * Answers the question that browsers ask before they send a request to another origin: 204 with what is allowed, 403 for
 * origins that are not. Who is allowed to ask is said by {@link CorsFields}, as in every answer.
 *
 * @see <a href="https://fetch.spec.whatwg.org/#cors-preflight-request">Fetch, CORS-preflight request</a>
 */
final class CorsPreflight extends Builtin implements InboundFilter {
    private final CorsPolicy policy;

    CorsPreflight(Settings settings, CorsPolicy policy) {
        super(settings, "");
        this.policy = policy;
    }

    @Override
    public boolean applies(FilterExchange exchange) {
        Headers headers = exchange.getRequest().getHeaders();
        return exchange.getRequest().getMethod().equals("OPTIONS")
                && headers.contains("origin")
                && headers.contains("access-control-request-method");
    }

    @Override
    public FilterOutcome filter(FilterExchange exchange) {
        String origin = CorsPolicy.originOf(exchange.getRequest().getHeaders());
        exchange.set(CorsFields.POLICY, policy);
        if (origin == null || !policy.allows(origin)) {
            return exchange.respond(403, "this origin is not allowed\n");
        }
        FilterOutcome.Respond answer = exchange.respond(204);
        if (!policy.methods().isEmpty()) {
            answer.header("access-control-allow-methods", String.join(", ", policy.methods()));
        }
        if (!policy.headers().isEmpty()) {
            answer.header("access-control-allow-headers", String.join(", ", policy.headers()));
        }
        if (policy.maxAge() != null) {
            answer.header("access-control-max-age", policy.maxAge());
        }
        return answer;
    }
}
