package dev.lychgate.server.explain;

import dev.lychgate.chain.FilterChains;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.MatchConfig.Scheme;
import dev.lychgate.config.ParameterPolicy;
import dev.lychgate.config.RouteAction;
import dev.lychgate.generation.FaultRule;
import dev.lychgate.http.Authority;
import dev.lychgate.http.PathNormalizer;
import dev.lychgate.http.PathParameters;
import dev.lychgate.http.RequestHead;
import dev.lychgate.route.Ingress;
import dev.lychgate.route.Route;
import dev.lychgate.route.RouteExplanation;
import dev.lychgate.route.RouteTable;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Explains how the gateway would handle a request.
 *
 * @param request the method and the URL, with the normalized path
 * @param refused the reason why the request would be rejected with 400 before routing; null if the request would not be
 *     rejected
 * @param clientRefused the reason why the client would be refused (with 403, or by closing the connection); null if the
 *     client is accepted
 * @param considered every route in the order of evaluation, with its verdict
 * @param meets the matching routes: none, one, or the routes that share the traffic
 * @param otherwise the filters that run if no route matches; empty if a route matches
 * @param withoutFilters the reason why the filters can't be built and are omitted; null if the filters are present
 */
public record Explanation(
        String request,
        @Nullable String refused,
        @Nullable String clientRefused,
        List<RouteExplanation.Considered> considered,
        List<Meets> meets,
        List<FilterInquiry.Answer> otherwise,
        @Nullable String withoutFilters) {
    /**
     * A matching route.
     *
     * @param does the action of the route, in words
     * @param rateLimits the rate limits that count the request, in their order: the name of each limit and, if gateways
     *     share the limit, its state
     * @param filters the filters of the route, in the order in which they run
     * @param faults the active faults that may affect the request, in words
     * @param overload the priority under overload, in words; null if no reaction to overload is configured
     * @param cache the use of the cache, in words; null if the route has no cache
     */
    public record Meets(
            String route,
            String does,
            List<String> rateLimits,
            List<FilterInquiry.Answer> filters,
            List<String> faults,
            @Nullable String overload,
            @Nullable String cache) {}

    /** Describes the use of a route's cache by a request. */
    @FunctionalInterface
    public interface Caches {
        /**
         * Describes how a request uses the cache of a route, in words; null if the route has no cache.
         *
         * @param secure whether the client uses HTTPS
         */
        @Nullable
        String of(Route route, RequestHead head, boolean secure);
    }

    /**
     * Explains a request. Calls the {@code applies} code of filters. This code may be slow, so this method must not be
     * called on an event loop.
     *
     * @param listener the listener that would receive the request
     * @param filters the filter chains; null to omit filters
     * @param faults the active faults
     * @param limits describes a rate limit by its name
     * @param priority describes the priority of a request on a route; returns null if the request has no priority
     * @param caches describes the use of the cache
     */
    public static Explanation of(
            RouteTable table,
            ListenerConfig listener,
            @Nullable FilterChains filters,
            List<FaultRule> faults,
            UnaryOperator<String> limits,
            BiFunction<Route, RequestHead, @Nullable String> priority,
            Caches caches,
            Inquiry inquiry) {
        if (!Authority.isValid(inquiry.host())) {
            return refused(inquiry, "the host is not valid");
        }
        String normal = PathNormalizer.normalize(inquiry.path(), listener.paths());
        if (normal == null) {
            return refused(
                    inquiry,
                    Objects.requireNonNullElse(
                            PathNormalizer.refusal(inquiry.path(), listener.paths()), "the path is not valid"));
        }
        RequestHead head = head(inquiry, normal);
        boolean secure = inquiry.scheme() == null ? listener.tls() != null : inquiry.scheme() == Scheme.HTTPS;
        Ingress ingress = new Ingress.Known(inquiry.client(), listener.name(), secure);
        ParameterPolicy parameters = listener.paths().parameters();
        if (parameters == ParameterPolicy.AUTO && table.isEvasion(head, ingress)) {
            return refused(inquiry, RouteTable.EVASION);
        }
        if (parameters == ParameterPolicy.STRIP_FOR_MATCHING) {
            head.path(PathParameters.strip(normal));
        }
        RouteExplanation explanation = table.explain(head, ingress);
        if (table.routes().stream()
                .noneMatch(route -> explanation.matched().contains(route.id()) && route.rewritesPath())) {
            head.path(normal);
        }
        List<Meets> meets = new ArrayList<>();
        for (Route route : table.routes()) {
            if (explanation.matched().contains(route.id())) {
                List<String> hits = faults.stream()
                        .filter(fault -> fault.concerns(route) && fault.matches(head, ingress))
                        .map(FaultText::of)
                        .toList();
                List<FilterInquiry.Answer> applied = FilterInquiry.ask(filters, listener.name(), inquiry, route);
                meets.add(new Meets(
                        route.id(),
                        what(route, head),
                        rateLimits(listener, route, limits),
                        applied,
                        hits,
                        priority.apply(route, head),
                        caches.of(route, head, secure)));
            }
        }
        return new Explanation(
                url(inquiry, normal),
                null,
                null,
                explanation.routes(),
                meets,
                meets.isEmpty() ? FilterInquiry.ask(filters, listener.name(), inquiry, null) : List.of(),
                null);
    }

    private static Explanation refused(Inquiry inquiry, String why) {
        return new Explanation(url(inquiry, inquiry.path()), why, null, List.of(), List.of(), List.of(), null);
    }

    /**
     * Returns the explanation of a request whose client is refused.
     *
     * @param why the reason
     */
    public static Explanation ofRefusedClient(Inquiry inquiry, String why) {
        return new Explanation(url(inquiry, inquiry.path()), null, why, List.of(), List.of(), List.of(), null);
    }

    /**
     * Returns this explanation without filters.
     *
     * @param reason the reason why the filters can't be built
     */
    public Explanation withoutFilters(String reason) {
        return new Explanation(request, refused, clientRefused, considered, meets, otherwise, reason);
    }

    private static List<String> rateLimits(ListenerConfig listener, Route route, UnaryOperator<String> limits) {
        return Stream.concat(listener.rateLimit().stream(), route.config().rateLimit().stream())
                .distinct()
                .map(limits)
                .toList();
    }

    private static String url(Inquiry inquiry, String path) {
        String scheme = inquiry.scheme() == Scheme.HTTPS ? " https://" : " http://";
        return inquiry.method()
                + scheme
                + inquiry.host()
                + path
                + (inquiry.query() == null ? "" : "?" + inquiry.query());
    }

    private static RequestHead head(Inquiry inquiry, String normal) {
        DefaultHttpHeaders headers = new DefaultHttpHeaders();
        headers.add(HttpHeaderNames.HOST, inquiry.host());
        inquiry.fields().forEach(field -> headers.add(field.getKey(), field.getValue()));
        RequestHead head = new RequestHead(
                HttpMethod.valueOf(inquiry.method()), false, inquiry.path(), inquiry.query(), inquiry.host(), headers);
        head.path(normal);
        return head;
    }

    private static String what(Route route, RequestHead head) {
        RouteAction action = route.action();
        if (action instanceof RouteAction.Proxy proxy) {
            String query = head.query() == null ? "" : "?" + head.query();
            return "sends " + route.targetPath(head) + query + " to upstream " + proxy.upstream()
                    + (proxy.subset().isEmpty() ? "" : " " + proxy.subset()) + " with host "
                    + route.targetHost(head, "(the host of the endpoint)");
        }
        if (action instanceof RouteAction.Redirect redirect) {
            return "redirects with " + redirect.status() + " to " + route.location(head);
        }
        return action instanceof RouteAction.Respond respond ? "responds with " + respond.status() : "";
    }
}
