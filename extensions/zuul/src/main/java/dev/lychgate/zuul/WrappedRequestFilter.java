package dev.lychgate.zuul;

import dev.lychgate.filter.BlockingFilter;
import dev.lychgate.filter.BodyNeed;
import dev.lychgate.filter.EndpointFilter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import javax.servlet.http.HttpServletRequest;

/**
 * Applies the replacements of the method and the body of the request. If filters of Zuul have replaced the request by a
 * wrapper, the gateway sends the method and the body of the wrapper. If filters have set a stream under the key {@code
 * requestEntity}, the gateway sends this stream as the body.
 */
final class WrappedRequestFilter implements EndpointFilter, BlockingFilter {
    private final ZuulSettings settings;

    WrappedRequestFilter(ZuulSettings settings) {
        this.settings = settings;
    }

    @Override
    public String name() {
        return "zuul-request";
    }

    @Override
    public int order() {
        return RoutingFilter.ORDER - 1;
    }

    @Override
    public Duration timeout() {
        return settings.timeout();
    }

    @Override
    public BodyNeed body() {
        return BodyNeed.whole(Math.toIntExact(settings.bodyLimit().bytes()));
    }

    @Override
    public boolean applies(FilterExchange exchange) {
        ZuulExchange zuul = ZuulExchange.of(exchange);
        return zuul != null && (zuul.hasOtherRequest() || zuul.requestEntity() != null) && !zuul.hasResponse();
    }

    @Override
    public FilterOutcome filter(FilterExchange exchange) throws Exception {
        ZuulExchange zuul = ZuulExchange.of(exchange);
        if (zuul != null) {
            zuul.run(exchange, () -> {
                HttpServletRequest wrapper = zuul.context().getRequest();
                String method = wrapper.getMethod();
                if (!method.equals(exchange.getRequest().getMethod())) {
                    exchange.getRequest().setMethod(method);
                }
                InputStream entity = zuul.requestEntity();
                byte[] body = (entity == null ? wrapper.getInputStream() : entity).readAllBytes();
                if (!Arrays.equals(body, exchange.getRequest().getBody())) {
                    exchange.getRequest().setBody(body);
                }
            });
        }
        return FilterOutcome.proceed();
    }
}
