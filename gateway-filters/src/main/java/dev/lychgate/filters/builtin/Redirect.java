package dev.lychgate.filters.builtin;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.RouteAction;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterRequest;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.route.RedirectLocation;
import org.jspecify.annotations.Nullable;

/** Sends every client elsewhere, or those that came by plain HTTP to the same place by HTTPS. */
final class Redirect extends Builtin implements InboundFilter {
    private final int status;
    private final RedirectLocation location;
    private final boolean toHttps;

    /** @throws ConfigException if not exactly one of {@code location} and {@code https} is said, or one can't be used */
    Redirect(Settings settings) {
        super(settings, "");
        this.toHttps = settings.flag("https");
        String said = settings.textOrNull("location");
        if ((said == null) != toHttps) {
            throw new ConfigException(
                    "location", said == null ? "missing" : said, "exactly one of location and https: true");
        }
        RouteAction.Redirect redirect = new RouteAction.Redirect(
                settings.number("status"), said == null ? "https://{host}{path}{query}" : said);
        this.status = redirect.status();
        try {
            this.location = RedirectLocation.parse(redirect.location());
        } catch (IllegalArgumentException e) {
            throw new ConfigException("location", redirect.location(), String.valueOf(e.getMessage()));
        }
    }

    @Override
    public boolean applies(FilterExchange exchange) {
        // The gateway itself speaks plain HTTP; a proxy in front of it may not, and is believed if it is a trusted one.
        return !toHttps
                || !"https".equalsIgnoreCase(exchange.getRequest().getHeaders().get("x-forwarded-proto"));
    }

    @Override
    public FilterOutcome filter(FilterExchange exchange) {
        FilterRequest request = exchange.getRequest();
        @Nullable String target = location.expand(request.getHost(), request.getPath(), request.getQuery());
        return target == null
                ? exchange.fail(ErrorKind.BAD_HOST, "the redirect needs a Host")
                : exchange.redirect(status, target);
    }
}
