package dev.lychgate.zuul;

import com.netflix.zuul.context.SessionContext;
import com.netflix.zuul.exception.ZuulException;
import dev.lychgate.error.GatewayError;
import dev.lychgate.filter.BlockingFilter;
import dev.lychgate.filter.ErrorFilter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Runs the error endpoint that filters of Zuul 2 have chosen, after a failure of the exchange. */
final class ErrorEndpointFilter implements ErrorFilter, BlockingFilter {
    private final MessageEndpoints endpoints;
    private final ZuulSettings settings;

    ErrorEndpointFilter(MessageEndpoints endpoints, ZuulSettings settings) {
        this.endpoints = endpoints;
        this.settings = settings;
    }

    @Override
    public String name() {
        return "zuul-error-endpoint";
    }

    @Override
    public Duration timeout() {
        return settings.timeout();
    }

    private @Nullable MessageCode endpoint(FilterExchange exchange) {
        MessageExchange messages = MessageExchange.known(exchange);
        return messages == null || messages.context().errorResponseSent()
                ? null
                : endpoints.find(messages.context().getErrorEndpoint());
    }

    @Override
    public boolean applies(FilterExchange exchange) {
        return endpoint(exchange) != null;
    }

    @Override
    public FilterOutcome filter(FilterExchange exchange) throws Exception {
        MessageCode endpoint = endpoint(exchange);
        if (endpoint == null) {
            return FilterOutcome.proceed();
        }
        MessageExchange messages = MessageExchange.of(exchange);
        SessionContext context = messages.context();
        GatewayError error = exchange.getError();
        if (context.getError() == null && error != null) {
            context.setError(new ZuulException(
                    error.kind().label(), error.getStatus(), error.kind().label()));
        }
        context.setShouldSendErrorResponse(false);
        context.setErrorResponseSent(true);
        return MessageExchange.outcome(MessageEndpointFilter.response(endpoint, messages.request(exchange)));
    }
}
