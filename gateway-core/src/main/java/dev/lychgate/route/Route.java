package dev.lychgate.route;

import dev.lychgate.config.RouteAction;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.http.DotSegments;
import dev.lychgate.http.PathNormalizer;
import dev.lychgate.http.PathParameters;
import dev.lychgate.http.RequestHead;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One compiled route: all values that do not depend on a request are precomputed. Immutable, shared by all event loops.
 * Created by {@link RouteTable#build}; compared by identity.
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

    /** Returns the unique id, which appears in logs and metrics. */
    public String id() {
        return config.id();
    }

    /** Returns the configuration of the route. */
    public RouteConfig config() {
        return config;
    }

    /** Returns the action for a request. */
    public RouteAction action() {
        return config.action();
    }

    /**
     * Returns the forwarded path. The path is in normal form, unless the route forwards the path as the client sent it.
     *
     * @param head the matched request. If a filter has since changed its path, and this route does not match the new
     *     path, the new path is forwarded without a rewrite
     */
    public String targetPath(RequestHead head) {
        return rewrite.apply(head);
    }

    /**
     * Returns the value of the forwarded Host header.
     *
     * @param head the matched request
     * @param endpointAuthority {@code host[:port]} of the selected endpoint
     */
    public String targetHost(RequestHead head, String endpointAuthority) {
        String host = config.rewrite().setHost();
        if (host == null) {
            return head.host();
        }
        return host.equals("origin") ? endpointAuthority : host;
    }

    /**
     * Returns the location to which a {@link RouteAction.Redirect} redirects a request. The location contains only
     * visible ASCII.
     *
     * @return the location; null if the location contains the host and the request has no host or a malformed host. If
     *     the result is null, the response has the status 400
     * @throws IllegalStateException if the action is not a redirect
     */
    public @Nullable String location(RequestHead head) {
        if (location == null) {
            throw new IllegalStateException("route " + id() + " is not a redirect");
        }
        return location.expand(head.host(), head.path(), head.query());
    }

    /**
     * Returns the body of a {@link RouteAction.Respond}, in UTF-8; empty for other actions. The array is shared and
     * must not be modified.
     */
    public byte[] body() {
        return body;
    }

    /** Returns the predicates in the form of the configuration, such as {@code path: /api/**}. */
    public List<String> predicates() {
        return predicates.stream().map(RoutePredicate::describe).toList();
    }

    /** Returns the position among the routes of the file, from 0. */
    int position() {
        return position;
    }

    /** Returns the hosts; empty for any host. */
    List<HostPattern> hosts() {
        return hosts;
    }

    PathPattern path() {
        return path;
    }

    /** Returns the predicates other than host and path. */
    List<RoutePredicate> further() {
        return List.of(further);
    }

    int furtherPredicates() {
        return further.length;
    }

    /**
     * Returns whether the route can match a request. A route with a share of 0 in its weight group matches no request.
     */
    boolean takesTraffic() {
        return config.match().weight() == null || config.match().weight().share() > 0;
    }

    /**
     * Returns whether the route protects its paths: it rejects all requests, or accepts only requests of some senders.
     */
    boolean guards() {
        return takesTraffic() && (rejects() || config.match().readsClaims());
    }

    /**
     * Returns whether the route rejects requests: it responds to all requests with a fixed 4xx status, matches only
     * some clients, or requires authentication or authorization. A route that has only {@code match.claims} rejects no
     * requests, because later routes may serve the senders without these claims.
     */
    boolean rejects() {
        return config.match().readsClient()
                || !config.access().isNone()
                || (config.action() instanceof RouteAction.Respond respond
                        && respond.status() >= 400
                        && respond.status() < 500);
    }

    /** Returns this route without the predicates that read the sender. */
    Route forAllSenders() {
        List<RoutePredicate> others =
                further().stream().filter(predicate -> !predicate.readsSender()).toList();
        return new Route(config, position, hosts, path, others, rewrite, location);
    }

    /** Returns whether the route's path contains a semicolon, so that only paths with parameters can match. */
    boolean namesParameters() {
        return PathParameters.present(path.shape());
    }

    /** Returns whether the route rewrites the path, so that the forwarded path may differ from the matched path. */
    public boolean rewritesPath() {
        return !(rewrite instanceof PathRewrite.Keep || rewrite instanceof PathRewrite.Raw);
    }

    /**
     * Returns whether the route forwards the path as the client sent it, and servers may interpret this path in
     * different ways.
     */
    public boolean forwardsAmbiguous(RequestHead head) {
        return rewrite instanceof PathRewrite.Raw && PathNormalizer.isAmbiguous(head.rawPath());
    }

    /** Returns whether the route forwards the path as the client sent it, and this path contains dot segments. */
    boolean forwardsDotSegments(RequestHead head) {
        return rewrite instanceof PathRewrite.Raw && DotSegments.present(head.rawPath());
    }

    boolean matches(RequestHead head, Ingress ingress) {
        return firstFailed(head, ingress) == null;
    }

    /**
     * Returns whether the request matches all predicates other than host and path. The index of the table has already
     * matched host and path.
     */
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
