package dev.lychgate.filters.builtin;

import dev.lychgate.config.ByteSize;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.RouteAction;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.filter.AttributeKey;
import dev.lychgate.filter.BodyRefusal;
import dev.lychgate.filter.BodyTransform;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filter.FilterRequest;
import dev.lychgate.http.ForwardingHeaders;
import dev.lychgate.route.RedirectLocation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Filters that respond in place of the upstream (redirects, fixed responses and size limits), and the filter for
 * request ids.
 */
final class ResponseFilters {
    private static final String REQUEST_ID = "x-request-id";

    private ResponseFilters() {}

    /**
     * Creates a filter that redirects all clients to a location, or redirects clients that use plain HTTP to the same
     * URL with HTTPS.
     *
     * @throws ConfigException if neither {@code location} nor {@code https} is set, if both are set, or if a value is
     *     malformed
     */
    static List<Filter> redirect(Settings settings) {
        boolean toHttps = settings.flag("https");
        String configured = settings.textOrNull("location");
        if ((configured == null) != toHttps) {
            throw new ConfigException(
                    "location", configured == null ? "missing" : configured, "exactly one of location and https: true");
        }
        RouteAction.Redirect redirect = new RouteAction.Redirect(
                settings.number("status"), configured == null ? "https://{host}{path}{query}" : configured);
        RedirectLocation location;
        try {
            location = RedirectLocation.parse(redirect.location());
        } catch (IllegalArgumentException e) {
            throw new ConfigException("location", redirect.location(), String.valueOf(e.getMessage()));
        }
        return List.of(Builtin.when(
                // The header states the scheme that the client used. It is from a trusted proxy, because the gateway
                // has removed it from all other requests.
                exchange -> !toHttps
                        || !"https"
                                .equalsIgnoreCase(
                                        exchange.getRequest().getHeaders().get("x-forwarded-proto")),
                FilterPhase.INBOUND,
                settings,
                exchange -> {
                    FilterRequest request = exchange.getRequest();
                    @Nullable String target = location.expand(request.getHost(), request.getPath(), request.getQuery());
                    return target == null
                            ? exchange.fail(ErrorKind.BAD_HOST, "the redirect needs the Host header of the request")
                            : exchange.redirect(redirect.status(), target);
                }));
    }

    /**
     * Creates a filter that sends the same response to every request.
     *
     * @throws ConfigException if the status, the headers or the body are malformed
     */
    static List<Filter> respond(Settings settings) {
        RouteAction.Respond response = new RouteAction.Respond(
                settings.number("status"), settings.mapping("headers"), settings.textOrNull("body"));
        response.headers().keySet().forEach(name -> Settings.fieldName("headers", name));
        String text = response.body();
        byte[] body = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
        return List.of(Builtin.of(FilterPhase.ENDPOINT, settings, "", exchange -> {
            FilterOutcome.Respond outcome = exchange.respond(response.status());
            if (body.length > 0) {
                outcome.body(body, "text/plain; charset=utf-8");
            }
            response.headers().forEach(outcome::header);
            return outcome;
        }));
    }

    /**
     * Creates a filter that rejects request bodies that are longer than a limit. A request that states a length beyond
     * the limit is rejected immediately. A request that does not state its length is rejected at the first byte beyond
     * the limit, and the request to the origin is aborted.
     */
    static List<Filter> sizeLimit(Settings settings) {
        ByteSize limit = settings.size("limit");
        GatewayError tooLong =
                GatewayError.downstream(ErrorKind.BODY_TOO_LARGE, "the request body is longer than " + limit);
        return Builtin.inbound(settings, exchange -> {
            long length = exchange.getRequest().getContentLength();
            if (length > limit.bytes()) {
                return FilterOutcome.fail(tooLong);
            }
            if (length < 0) {
                exchange.getRequest().transformBody(new Count(limit.bytes(), tooLong));
            }
            return exchange.proceed();
        });
    }

    private static final class Count implements BodyTransform {
        private final long limit;
        private final GatewayError tooLong;
        private long bytes;

        Count(long limit, GatewayError tooLong) {
            this.limit = limit;
            this.tooLong = tooLong;
        }

        @Override
        public byte[] piece(byte[] piece) {
            bytes += piece.length;
            if (bytes > limit) {
                throw new BodyRefusal(tooLong);
            }
            return piece;
        }

        @Override
        public boolean changes() {
            return false;
        }
    }

    /**
     * Creates a filter that adds an id to every request, in a header. If ids of clients are trusted and the client has
     * sent a well-formed id, the client's id is used. In all other cases, the id under which the exchange is logged is
     * used. A second filter adds the same id to the response, unless the settings disable the second filter.
     */
    static List<Filter> requestId(Settings settings) {
        String field = settings.fieldName("name");
        boolean trust = settings.flag("trust");
        if (trust && field.equalsIgnoreCase(REQUEST_ID)) {
            throw new ConfigException(
                    "trust", true, "false, because trusted-proxies lists the peers that may set X-Request-Id");
        }
        AttributeKey<String> chosen = AttributeKey.of("request-id " + field, String.class);
        List<Filter> filters = new ArrayList<>();
        filters.add(Builtin.changing(FilterPhase.INBOUND, settings, field, exchange -> {
            List<String> given = exchange.getRequest().getHeaders().getAll(field);
            boolean usable = trust && given.size() == 1 && ForwardingHeaders.isPlainId(given.get(0));
            String id = usable ? given.get(0) : exchange.getRequestId();
            exchange.getRequest().getHeaders().set(field, id);
            exchange.set(chosen, id);
        }));
        if (settings.flag("respond")) {
            filters.add(Builtin.changing(FilterPhase.OUTBOUND, settings, field, exchange -> {
                // The attribute is missing if the request was rejected before the first filter ran.
                String id = exchange.get(chosen);
                exchange.getResponse().getHeaders().set(field, id == null ? exchange.getRequestId() : id);
            }));
        }
        return filters;
    }
}
