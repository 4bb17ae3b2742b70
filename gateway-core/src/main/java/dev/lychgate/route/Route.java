package dev.lychgate.route;

import dev.lychgate.config.RouteAction;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.http.PathNormalizer;
import dev.lychgate.http.PathParameters;
import dev.lychgate.http.RequestHead;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One route, compiled: whatever needs no request has been worked out. Immutable, shared by all event loops. Routes are
 * made by {@link RouteTable#build}; two are the same only if they are the same object.
 */
public final class Route {
    private static final byte[] NO_BODY = {};

    private final RouteConfig config;
    private final int position;
    private final List<HostPattern> hosts;
    private final PathPattern path;
    private final RoutePredicate[] further;
    private final List<RoutePredicate> predicates;
    private final PathRewrite rewrite;
    private final @Nullable RedirectLocation location;
    private final byte[] body;

    Route(
            RouteConfig config,
            int position,
            List<HostPattern> hosts,
            PathPattern path,
            List<RoutePredicate> further,
            PathRewrite rewrite,
            @Nullable RedirectLocation location) {
        this.config = config;
        this.position = position;
        this.hosts = List.copyOf(hosts);
        this.path = path;
        this.further = further.toArray(RoutePredicate[]::new);
        List<RoutePredicate> all = new ArrayList<>();
        if (!hosts.isEmpty()) {
            all.add(new RoutePredicate.Hosts(this.hosts));
        }
        all.add(path);
        all.addAll(further);
        this.predicates = List.copyOf(all);
        this.rewrite = rewrite;
        this.location = location;
        this.body = config.action() instanceof RouteAction.Respond respond && respond.body() != null
                ? respond.body().getBytes(StandardCharsets.UTF_8)
                : NO_BODY;
    }

    /** Unique among routes; stands in logs and metrics. */
    public String id() {
        return config.id();
    }

    /** What was configured. */
    public RouteConfig config() {
        return config;
    }

    /** What is done with a request. */
    public RouteAction action() {
        return config.action();
    }

    /**
     * The path to send on, in its normal form unless the route forwards it raw.
     *
     * @param head the request that matched; if a filter has since changed its path to one that this route does not match,
     *     the path is sent as the filter left it
     */
    public String targetPath(RequestHead head) {
        return rewrite.apply(head);
    }

    /**
     * The Host to send on.
     *
     * @param head the request that matched
     * @param endpointAuthority {@code host[:port]} of the endpoint that gets the request
     */
    public String targetHost(RequestHead head, String endpointAuthority) {
        String host = config.rewrite().setHost();
        if (host == null) {
            return head.host();
        }
        return host.equals("origin") ? endpointAuthority : host;
    }

    /**
     * Where a {@link RouteAction.Redirect} sends the client: visible ASCII only, whatever the request holds.
     *
     * @return null if the location needs a host and the request has none that is safe to repeat; to be answered 400
     * @throws IllegalStateException if the action is no redirect
     */
    public @Nullable String location(RequestHead head) {
        if (location == null) {
            throw new IllegalStateException("route " + id() + " is no redirect");
        }
        return location.expand(head.host(), head.path(), head.query());
    }

    /** The body of a {@link RouteAction.Respond}, in UTF-8; empty for other actions. Shared: not to be changed. */
    public byte[] body() {
        return body;
    }

    /** What must hold, in the words of the configuration: {@code path: /api/**}. */
    public List<String> predicates() {
        return predicates.stream().map(RoutePredicate::describe).toList();
    }

    /** Place among the routes of the file, from 0. */
    int position() {
        return position;
    }

    /** Empty = any. */
    List<HostPattern> hosts() {
        return hosts;
    }

    PathPattern path() {
        return path;
    }

    /** The predicates other than host and path. */
    List<RoutePredicate> further() {
        return List.of(further);
    }

    int furtherPredicates() {
        return further.length;
    }

    /** Whether it can match at all: a share of 0 takes a route out of service. */
    boolean takesTraffic() {
        return config.match().weight() == null || config.match().weight().share() > 0;
    }

    /** Whether it protects its paths: it rejects all requests with a fixed status, or serves some clients only. */
    boolean guards() {
        return takesTraffic()
                && (config.match().readsClient()
                        || (config.action() instanceof RouteAction.Respond respond
                                && respond.status() >= 400
                                && respond.status() < 500));
    }

    /** Returns this route without the predicates that read the client's address. */
    Route forAllClients() {
        List<RoutePredicate> others =
                further().stream().filter(predicate -> !predicate.readsClient()).toList();
        return new Route(config, position, hosts, path, others, rewrite, location);
    }

    /** Whether its path has a semicolon, so that parameters there are meant. */
    boolean namesParameters() {
        return PathParameters.present(path.shape());
    }

    /** Whether the path that is forwarded differs from the one that was matched. */
    public boolean rewritesPath() {
        return !(rewrite instanceof PathRewrite.Keep || rewrite instanceof PathRewrite.Raw);
    }

    /** Whether the client's own path is forwarded and servers differ in what that path means. */
    public boolean forwardsAmbiguous(RequestHead head) {
        return rewrite instanceof PathRewrite.Raw && PathNormalizer.isAmbiguous(head.rawPath());
    }

    boolean matches(RequestHead head, Ingress ingress) {
        return firstFailed(head, ingress) == null;
    }

    /** Whether everything but host and path holds, which the table's index has already found to hold. */
    boolean furtherHold(RequestHead head, Ingress ingress) {
        for (RoutePredicate predicate : further) {
            if (!predicate.test(head, ingress)) {
                return false;
            }
        }
        return true;
    }

    @Nullable
    RoutePredicate firstFailed(RequestHead head, Ingress ingress) {
        for (RoutePredicate predicate : predicates) {
            if (!predicate.test(head, ingress)) {
                return predicate;
            }
        }
        return null;
    }

    @Override
    public String toString() {
        return id();
    }
}
