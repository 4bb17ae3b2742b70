package dev.lychgate.filters.builtin;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.RouteAction;
import dev.lychgate.filter.EndpointFilter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Answers every request in place of the upstream, always in the same way. */
final class Respond extends Builtin implements EndpointFilter {
    private final int status;
    private final Map<String, String> headers;
    private final byte[] body;

    /** @throws ConfigException if status, headers or body can't be used */
    Respond(Settings settings) {
        super(settings, "");
        RouteAction.Respond answer = new RouteAction.Respond(
                settings.number("status"), settings.mapping("headers"), settings.textOrNull("body"));
        answer.headers().keySet().forEach(name -> fieldName("headers", name));
        this.status = answer.status();
        this.headers = answer.headers();
        String text = answer.body();
        this.body = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public FilterOutcome filter(FilterExchange exchange) {
        FilterOutcome.Respond answer = exchange.respond(status);
        if (body.length > 0) {
            answer.body(body, "text/plain; charset=utf-8");
        }
        headers.forEach(answer::header);
        return answer;
    }
}
