package dev.lychgate.server.admin;

import dev.lychgate.config.EndpointConfig;
import dev.lychgate.generation.Generation;
import dev.lychgate.server.json.Json;
import dev.lychgate.upstream.Endpoint;
import dev.lychgate.upstream.EndpointState.AdminState;
import dev.lychgate.upstream.Upstream;
import org.jspecify.annotations.Nullable;

/**
 * What an operator can do about an endpoint at run time: drain it, take it out, bring it back, and weigh it. It holds for
 * all generations to come, as long as they name the endpoint, and ends with the process.
 */
final class EndpointActions {
    static final Parameter<String> UPSTREAM = Parameter.needed("upstream", "the name of its upstream");
    static final Parameter<String> ENDPOINT = Parameter.needed("endpoint", "its HOST:PORT, as /upstreams has it");
    static final Parameter<AdminState> STATE =
            Parameter.optional("state", UpstreamsPage.ADMIN, "what an operator wants of it");
    static final Parameter<Long> WEIGHT = Parameter.optional(
            "weight", Json.integer(0, EndpointConfig.MAX_WEIGHT), "0 goes back to the configured one");

    private EndpointActions() {}

    /** Returns what the endpoint is now; 404 if there is no such one, 400 if nothing is to be changed. */
    static UpstreamsPage.Known change(Generation generation, Parameters given) throws Rejection {
        AdminState state = given.optional(STATE);
        Long weight = given.optional(WEIGHT);
        if (state == null && weight == null) {
            throw Rejection.malformed("state=S, weight=N or both are needed");
        }
        Upstream upstream = generation.upstream(given.needed(UPSTREAM));
        Endpoint endpoint = upstream == null ? null : endpoint(upstream, given.needed(ENDPOINT));
        if (upstream == null || endpoint == null) {
            throw Rejection.notFound("there is no such endpoint; see /upstreams");
        }
        if (state != null) {
            upstream.state().admin(endpoint.address(), state);
        }
        if (weight != null) {
            upstream.state().weight(endpoint.address(), weight.intValue());
        }
        return UpstreamsPage.Known.of(upstream, endpoint, upstream.whole().current(System.nanoTime()));
    }

    private static @Nullable Endpoint endpoint(Upstream upstream, String authority) {
        return upstream.endpoints().stream()
                .filter(e -> e.authority().equals(authority))
                .findFirst()
                .orElse(null);
    }
}
