package dev.lychgate.zuul;

import com.netflix.zuul.context.RequestContext;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.filter.EndpointFilter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterRequest;
import dev.lychgate.filter.SyncFilter;
import java.net.URL;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Applies the context to the request of the exchange, after all route filters have run. The context may determine the
 * upstream, the path, the query and the headers.
 */
final class RoutingFilter implements EndpointFilter, SyncFilter {
    static final int ORDER = Integer.MAX_VALUE;

    private final ZuulSettings settings;

    RoutingFilter(ZuulSettings settings) {
        this.settings = settings;
    }

    @Override
    public String name() {
        return "zuul-routing";
    }

    @Override
    public int order() {
        return ORDER;
    }

    @Override
    public boolean applies(FilterExchange exchange) {
        return ZuulExchange.of(exchange) != null;
    }

    @Override
    public FilterOutcome filter(FilterExchange exchange) {
        ZuulExchange zuul = ZuulExchange.of(exchange);
        if (zuul == null) {
            return FilterOutcome.proceed();
        }
        RequestContext context = zuul.context();
        Object vip = context.get("routeVIP") == null ? context.get("serviceId") : context.get("routeVIP");
        FilterOutcome refused =
                chooseUpstream(settings, exchange, context.getRouteHost(), vip == null ? null : vip.toString());
        if (refused != null) {
            return refused;
        }
        FilterRequest request = exchange.getRequest();
        if (context.get("requestURI") instanceof CharSequence uri) {
            setPath(request, uri.toString());
        }
        Map<String, List<String>> query = context.getRequestQueryParams();
        if (query != null && !query.equals(request.getQueryParameters())) {
            request.setQuery(query.isEmpty() ? null : encoded(query));
        }
        context.getZuulRequestHeaders().forEach((name, value) -> setHeader(request, name, value));
        return FilterOutcome.proceed();
    }

    /**
     * Chooses the upstream that filters have named.
     *
     * @return the outcome if the configuration does not list this upstream; null if it lists the upstream
     */
    static @Nullable FilterOutcome chooseUpstream(
            ZuulSettings settings, FilterExchange exchange, @Nullable URL host, @Nullable String vip) {
        if (host == null && vip == null) {
            return null;
        }
        String wanted = host == null ? String.valueOf(vip) : origin(host);
        String upstream = (host == null ? settings.vips() : settings.routeHosts()).get(wanted);
        if (upstream == null) {
            String key = host == null ? "vips" : "route-hosts";
            return FilterOutcome.fail(
                    ErrorKind.NO_ENDPOINT,
                    "a filter has chosen " + wanted + ", which extensions.zuul." + key + " does not contain");
        }
        exchange.setUpstream(upstream);
        return null;
    }

    /** Returns scheme, host and port of a URL, without the default port. */
    static String origin(URL url) {
        int port = url.getPort() == url.getDefaultPort() ? -1 : url.getPort();
        return (url.getProtocol() + "://" + url.getHost()).toLowerCase(Locale.ROOT) + (port < 0 ? "" : ":" + port);
    }

    private static void setPath(FilterRequest request, String uri) {
        int question = uri.indexOf('?');
        String path = question < 0 ? uri : uri.substring(0, question);
        request.setPath(path.startsWith("/") ? path : "/" + path);
        if (question >= 0) {
            request.setQuery(uri.substring(question + 1));
        }
    }

    private static String encoded(Map<String, List<String>> parameters) {
        return parameters.entrySet().stream()
                .flatMap(each -> each.getValue().stream().map(value -> encoded(each.getKey()) + "=" + encoded(value)))
                .collect(Collectors.joining("&"));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static void setHeader(FilterRequest request, String name, String value) {
        if (name.equalsIgnoreCase("host")) {
            request.setHost(value);
        } else if (!ResponseCommit.FRAMING.contains(name.toLowerCase(Locale.ROOT))) {
            request.getHeaders().set(name, value);
        }
    }
}
