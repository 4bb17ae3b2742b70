package dev.lychgate.config;

/**
 * One route: what it matches and what it does.
 *
 * @param id unique among routes; stands in logs and metrics
 * @param order lower is tried first; default 0
 * @param match what it matches
 * @param rewrite what it changes on the way
 * @param action what it does
 * @param timeouts how long we wait, where it differs from the upstream's
 */
public record RouteConfig(
        String id, int order, MatchConfig match, RewriteConfig rewrite, RouteAction action, RouteTimeouts timeouts) {
    public RouteConfig {
        Expect.name("id", id);
    }

    /** A route to an upstream, with every default. */
    public static RouteConfig proxy(String id, MatchConfig match, String upstream) {
        return new RouteConfig(id, 0, match, RewriteConfig.NONE, new RouteAction.Proxy(upstream), RouteTimeouts.UNSET);
    }
}
