package dev.lychgate.config;

import java.util.List;

/**
 * The requests to which a fault applies. Each component is a separate key in the section of the fault.
 *
 * @param match the predicates of requests; {@link MatchConfig#ANY} for all requests
 * @param routes the ids of routes; empty for all routes
 * @param share the share of the matching requests to which the fault applies
 * @param by the part of a request that determines whether the request belongs to the share
 */
public record FaultScope(MatchConfig match, List<String> routes, SampleRate share, Stickiness by) {
    private static final Key<MatchConfig> MATCH = Key.section("match", MatchConfig.ANY, MatchConfig::requests)
            .absent("all requests")
            .about("the predicates of the requests, as in the `match` of a route; without groups and weight");
    private static final Key<List<String>> ROUTES = Key.typed("routes", Form.list(Form.TEXT), List.<String>of())
            .absent("all routes")
            .about("the ids of the routes to whose requests the fault applies");
    private static final Key<SampleRate> SHARE = Key.typed("share", Form.RATE, SampleRate.ALL)
            .about("the share of the matching requests to which the fault applies, more than 0%");
    private static final Key<Stickiness> BY = Key.typed("by", Stickiness.FORM, new Stickiness.Request())
            .absent("`request`")
            .about("the part of a request that determines whether the request belongs to the share; `request` = at "
                    + "random");

    static final Keys<FaultScope> KEYS = Keys.of(FaultScope::new, MATCH, ROUTES, SHARE, BY);

    public FaultScope {
        KEYS.check(match, routes, share, by);
        routes = Expect.copy(routes);
        Expect.that(share.fraction() > 0, "share", share, "more than 0%, at most 100%");
        boolean plain = match.not().isEmpty() && match.any().isEmpty() && match.weight() == null;
        Expect.that(plain, "match", "contains not, any or weight", "only predicates, without groups and weight");
    }
}
