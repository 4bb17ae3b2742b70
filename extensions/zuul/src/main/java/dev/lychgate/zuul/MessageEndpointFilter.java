package dev.lychgate.zuul;

import com.netflix.zuul.message.ZuulMessage;
import com.netflix.zuul.message.http.HttpRequestMessage;
import com.netflix.zuul.message.http.HttpResponseMessage;
import com.netflix.zuul.message.http.HttpResponseMessageImpl;
import dev.lychgate.filter.BlockingFilter;
import dev.lychgate.filter.BodyNeed;
import dev.lychgate.filter.EndpointFilter;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import java.util.List;
import java.util.Set;

/** Runs an endpoint filter of Zuul 2, if a filter has chosen it. */
final class MessageEndpointFilter extends FilterOfZuul implements EndpointFilter, BlockingFilter {
    private final MessageCode code;
    private final Set<String> names;
    private final boolean usesBody;

    MessageEndpointFilter(
            MessageCode code, int order, boolean usesBody, ZuulSettings settings, List<Filter> companions) {
        super(code.type(), order, settings, companions);
        this.code = code;
        this.names = code.names();
        this.usesBody = usesBody;
    }

    @Override
    public BodyNeed body() {
        return wholeBodyIf(usesBody);
    }

    @Override
    public boolean applies(FilterExchange exchange) {
        MessageExchange messages = MessageExchange.known(exchange);
        String chosen = messages == null ? null : messages.context().getEndpoint();
        return chosen != null && names.contains(chosen);
    }

    @Override
    public FilterOutcome filter(FilterExchange exchange) throws Exception {
        return MessageExchange.outcome(
                response(code, MessageExchange.of(exchange).request(exchange)));
    }

    /** Returns the response of an endpoint. */
    static HttpResponseMessage response(MessageCode endpoint, HttpRequestMessage request) throws Exception {
        ZuulMessage result = endpoint.run(request);
        return result instanceof HttpResponseMessage response
                ? response
                : HttpResponseMessageImpl.defaultErrorResponse(request);
    }
}
