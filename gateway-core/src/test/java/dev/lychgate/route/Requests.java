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
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Routes and requests in few words. */
final class Requests {
    static final Ingress CLIENT = ingress("192.0.2.7");

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

    /** A client without TLS on the listener {@code main}. */
    static Ingress ingress(String address) {
        return ingress(address, "main", false);
    }

    static Ingress ingress(String address, String listener, boolean secure) {
        try {
            return new Ingress.Known(InetAddress.getByName(address), listener, secure);
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

    /** Predicates under construction; each method returns a changed copy. */
    static final class Match implements Cloneable {
        private List<String> hosts = List.of();
        private @Nullable String path;
        private List<String> methods = List.of();
        private Map<String, String> headers = Map.of();
        private Map<String, String> query = Map.of();
        private Map<String, String> cookies = Map.of();
        private List<Cidr> clients = List.of();
        private MatchConfig.@Nullable Scheme scheme;
        private List<String> listeners = List.of();
        private List<MatchConfig> not = List.of();
        private List<MatchConfig> any = List.of();
        private MatchConfig.@Nullable Weight weight;

        private Match() {}

        static Match any() {
            return new Match();
        }

        static Match of(String path) {
            return any().at(path);
        }

        Match at(String changed) {
            return with(match -> match.path = changed);
        }

        Match host(String... changed) {
            return with(match -> match.hosts = List.of(changed));
        }

        Match methods(String... changed) {
            return with(match -> match.methods = List.of(changed));
        }

        Match header(String name, String value) {
            return with(match -> match.headers = Map.of(name, value));
        }

        Match query(String name, String value) {
            return with(match -> match.query = Map.of(name, value));
        }

        Match cookie(String name, String value) {
            return with(match -> match.cookies = Map.of(name, value));
        }

        Match clients(String... changed) {
            return with(
                    match -> match.clients = Stream.of(changed).map(Cidr::parse).toList());
        }

        Match scheme(MatchConfig.Scheme changed) {
            return with(match -> match.scheme = changed);
        }

        Match listeners(String... changed) {
            return with(match -> match.listeners = List.of(changed));
        }

        Match not(Match... groups) {
            return with(match -> match.not = configs(groups));
        }

        Match anyOf(Match... groups) {
            return with(match -> match.any = configs(groups));
        }

        Match weight(String group, int share) {
            return with(match -> match.weight = new MatchConfig.Weight(group, share));
        }

        private static List<MatchConfig> configs(Match... groups) {
            return Stream.of(groups).map(Match::config).toList();
        }

        private Match with(Consumer<Match> change) {
            try {
                Match copy = (Match) clone();
                change.accept(copy);
                return copy;
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
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
                    hosts, path, methods, headers, query, cookies, clients, scheme, listeners, Map.of(), not, any,
                    weight);
        }
    }
}
