package dev.lychgate.route;

import dev.lychgate.config.Cidr;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.RewriteConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.RouteTimeouts;
import dev.lychgate.http.RequestHead;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Routes and requests in few words. */
final class Requests {
    static final InetAddress CLIENT = address("192.0.2.7");

    private Requests() {}

    /** {@code target} is {@code [host]/path[?query]}. */
    static RequestHead request(String method, String target, String... headers) {
        int slash = target.indexOf('/');
        int question = target.indexOf('?');
        HttpHeaders fields = new DefaultHttpHeaders();
        for (int i = 0; i < headers.length; i += 2) {
            fields.add(headers[i], headers[i + 1]);
        }
        return new RequestHead(
                HttpMethod.valueOf(method),
                false,
                target.substring(slash, question < 0 ? target.length() : question),
                question < 0 ? null : target.substring(question + 1),
                target.substring(0, slash),
                fields);
    }

    static RequestHead get(String target) {
        return request("GET", target);
    }

    static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    static RouteConfig route(String id, MatchConfig match) {
        return RouteConfig.proxy(id, match, "origin");
    }

    static RouteConfig route(String id, String path) {
        return route(id, MatchConfig.path(path));
    }

    static RouteConfig ordered(int order, RouteConfig route) {
        return new RouteConfig(route.id(), order, route.match(), route.rewrite(), route.action(), route.timeouts());
    }

    static RouteConfig rewriting(String path, RewriteConfig rewrite) {
        return new RouteConfig(
                "r", 0, MatchConfig.path(path), rewrite, new RouteAction.Proxy("origin"), RouteTimeouts.UNSET);
    }

    static RouteConfig redirecting(String location) {
        return new RouteConfig(
                "r",
                0,
                MatchConfig.ANY,
                RewriteConfig.NONE,
                new RouteAction.Redirect(308, location),
                RouteTimeouts.UNSET);
    }

    /** A match that grows; every setter returns another one. */
    record Match(
            List<String> hosts,
            @Nullable String path,
            List<String> methods,
            Map<String, String> headers,
            Map<String, String> query,
            List<String> clients,
            MatchConfig.@Nullable Weight weight) {
        static Match any() {
            return new Match(List.of(), null, List.of(), Map.of(), Map.of(), List.of(), null);
        }

        static Match of(String path) {
            return any().at(path);
        }

        Match at(String changed) {
            return new Match(hosts, changed, methods, headers, query, clients, weight);
        }

        Match host(String... changed) {
            return new Match(List.of(changed), path, methods, headers, query, clients, weight);
        }

        Match methods(String... changed) {
            return new Match(hosts, path, List.of(changed), headers, query, clients, weight);
        }

        Match header(String name, String value) {
            return new Match(hosts, path, methods, Map.of(name, value), query, clients, weight);
        }

        Match query(String name, String value) {
            return new Match(hosts, path, methods, headers, Map.of(name, value), clients, weight);
        }

        Match clients(String... changed) {
            return new Match(hosts, path, methods, headers, query, List.of(changed), weight);
        }

        Match weight(String group, int share) {
            return new Match(hosts, path, methods, headers, query, clients, new MatchConfig.Weight(group, share));
        }

        RouteConfig as(String id) {
            return route(id, config());
        }

        RouteConfig answering(String id, int status) {
            return new RouteConfig(
                    id,
                    0,
                    config(),
                    RewriteConfig.NONE,
                    new RouteAction.Respond(status, Map.of(), null),
                    RouteTimeouts.UNSET);
        }

        MatchConfig config() {
            return new MatchConfig(
                    hosts,
                    path,
                    methods,
                    headers,
                    query,
                    clients.stream().map(Cidr::parse).toList(),
                    weight);
        }
    }
}
