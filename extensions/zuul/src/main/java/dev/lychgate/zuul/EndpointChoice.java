package dev.lychgate.zuul;

import com.netflix.zuul.context.SessionContext;
import com.netflix.zuul.message.http.HttpResponseMessage;
import com.netflix.zuul.netty.filter.ZuulEndPointRunner;
import dev.lychgate.error.GatewayError;
import dev.lychgate.filter.EndpointFilter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.SyncFilter;

/** Applies the choice of filters of Zuul 2: a static response, an endpoint filter, or the upstream. */
final class EndpointChoice implements EndpointFilter, SyncFilter {
    private final MessageEndpoints endpoints;
    private final ZuulSettings settings;

    EndpointChoice(MessageEndpoints endpoints, ZuulSettings settings) {
        this.endpoints = endpoints;
        this.settings = settings;
    }

    @Override
    public String name() {
        return "zuul-endpoint-choice";
    }

    @Override
    public int order() {
        return Integer.MIN_VALUE;
    }

    @Override
    public boolean applies(FilterExchange exchange) {
        return MessageExchange.known(exchange) != null;
    }

    @Override
    public FilterOutcome filter(FilterExchange exchange) {
        SessionContext context = MessageExchange.of(exchange).context();
        HttpResponseMessage given = context.getStaticResponse();
        if (given != null) {
            return MessageExchange.outcome(given);
        }
        if (context.shouldSendErrorResponse()) {
            return FilterOutcome.fail(
                    GatewayError.internal("a filter has requested an error response", context.getError()));
        }
        String chosen = context.getEndpoint();
        if (chosen != null && !chosen.equals(ZuulEndPointRunner.PROXY_ENDPOINT_FILTER_NAME)) {
            return endpoints.find(chosen) == null
                    ? FilterOutcome.fail(GatewayError.internal(
                            "a filter has chosen the endpoint " + chosen + ", which no file declares", null))
                    : FilterOutcome.proceed();
        }
        FilterOutcome refused =
                RoutingFilter.chooseUpstream(settings, exchange, context.getRouteHost(), context.getRouteVIP());
        return refused == null ? FilterOutcome.proceed() : refused;
    }
}
