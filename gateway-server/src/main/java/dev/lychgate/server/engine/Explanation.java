package dev.lychgate.server.engine;

import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.filter.FilterChains;
import dev.lychgate.http.Authority;
import dev.lychgate.http.PathNormalizer;
import dev.lychgate.http.RequestHead;
import dev.lychgate.route.Route;
import dev.lychgate.route.RouteExplanation;
import dev.lychgate.route.RouteTable;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a request would meet, in lines for a terminal. The request is thought to come from loopback, by the first listener. */
final class Explanation {
    private Explanation() {}

    /** @param filters the filters in their places; null if nothing is to be said of them */
    static List<String> lines(GatewayConfig config, Inquiry inquiry, @Nullable FilterChains filters) {
        ListenerConfig listener = config.listeners().get(0);
        if (!Authority.isValid(inquiry.host())) {
            return List.of("refused with 400: the host is not valid");
        }
        String normal = PathNormalizer.normalize(inquiry.path(), listener.paths());
        if (normal == null) {
            return List.of("refused with 400: " + PathNormalizer.refusal(inquiry.path(), listener.paths()));
        }
        RequestHead head = head(inquiry, normal);
        RouteTable table = RouteTable.build(config.routes());
        RouteExplanation explanation = table.explain(head, InetAddress.getLoopbackAddress());
        List<String> lines = new ArrayList<>();
        lines.add(inquiry.method() + " http://" + inquiry.host() + normal
                + (inquiry.query() == null ? "" : "?" + inquiry.query()));
        for (RouteExplanation.Considered route : explanation.routes()) {
            String verdict = route.verdict().name().toLowerCase(Locale.ROOT).replace('_', ' ');
            lines.add("  " + route.id() + ": " + verdict + (route.detail() == null ? "" : " (" + route.detail() + ")"));
        }
        if (explanation.matched().isEmpty()) {
            lines.add("answered with 404: no route matches");
            lines.addAll(FilterInquiry.lines(filters, inquiry, null));
        }
        for (Route route : table.routes()) {
            if (explanation.matched().contains(route.id())) {
                lines.add("route " + route.id() + " " + what(route, head));
                lines.addAll(FilterInquiry.lines(filters, inquiry, route));
            }
        }
        return lines;
    }

    private static RequestHead head(Inquiry inquiry, String normal) {
        DefaultHttpHeaders headers = new DefaultHttpHeaders();
        headers.add(HttpHeaderNames.HOST, inquiry.host());
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
                    + route.targetHost(head, "(that of the endpoint)");
        }
        if (action instanceof RouteAction.Redirect redirect) {
            return "redirects with " + redirect.status() + " to " + route.location(head);
        }
        return action instanceof RouteAction.Respond respond ? "answers with " + respond.status() : "";
    }
}
