package dev.lychgate.zuul;

import com.netflix.zuul.message.ZuulMessage;
import com.netflix.zuul.message.http.HttpRequestMessage;
import com.netflix.zuul.message.http.HttpResponseMessage;
import com.netflix.zuul.message.http.HttpResponseMessageImpl;
import dev.lychgate.extension.AccompaniedFilter;
import dev.lychgate.filter.BlockingFilter;
import dev.lychgate.filter.BodyNeed;
import dev.lychgate.filter.EndpointFilter;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import java.time.Duration;
import java.util.List;

/** Runs an endpoint filter of Zuul 2, if a filter has chosen it. */
final class MessageEndpointFilter implements EndpointFilter, BlockingFilter, AccompaniedFilter {
    private final MessageCode code;
    private final int order;
    private final boolean usesBody;
    private final ZuulSettings settings;
    private final List<Filter> companions;

    MessageEndpointFilter(
            MessageCode code, int order, boolean usesBody, ZuulSettings settings, List<Filter> companions) {
        this.code = code;
        this.order = order;
        this.usesBody = usesBody;
        this.settings = settings;
        this.companions = companions;
    }

    @Override
    public String name() {
        return code.name();
    }

    @Override
    public int order() {
        return order;
    }

    @Override
    public List<Filter> companions() {
        return companions;
    }

    @Override
    public Class<?> definedIn() {
        return code.type();
    }

    @Override
    public Duration timeout() {
        return settings.timeout();
    }

    @Override
    public BodyNeed body() {
        return usesBody ? BodyNeed.whole(Math.toIntExact(settings.bodyLimit().bytes())) : BodyNeed.NONE;
    }

    @Override
    public boolean applies(FilterExchange exchange) {
        MessageExchange messages = MessageExchange.known(exchange);
        String chosen = messages == null ? null : messages.context().getEndpoint();
        return chosen != null && code.names().contains(chosen);
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
