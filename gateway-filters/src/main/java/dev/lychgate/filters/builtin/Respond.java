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
    private final String type;
    private final byte[] body;

    /** @throws ConfigException if status, headers or body can't be used */
    Respond(Settings settings) {
        super(settings, "");
        RouteAction.Respond answer = new RouteAction.Respond(
                settings.number("status"), settings.mapping("headers"), settings.textOrNull("body"));
        answer.headers().keySet().forEach(name -> fieldName("headers", name));
        this.status = answer.status();
        String text = answer.body();
        this.body = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
        String type = "text/plain; charset=utf-8";
        Map<String, String> others = new java.util.LinkedHashMap<>();
        for (Map.Entry<String, String> field : answer.headers().entrySet()) {
            if (field.getKey().equalsIgnoreCase("content-type") && body.length > 0) {
                type = field.getValue();
            } else {
                others.put(field.getKey(), field.getValue());
            }
        }
        this.type = type;
        this.headers = others;
    }

    @Override
    public FilterOutcome filter(FilterExchange exchange) {
        FilterOutcome.Respond answer = exchange.respond(status);
        headers.forEach(answer::header);
        return body.length == 0 ? answer : answer.body(body, type);
    }
}
