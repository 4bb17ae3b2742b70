package dev.lychgate.server.admin;

import dev.lychgate.config.EndpointConfig;
import dev.lychgate.generation.Generation;
import dev.lychgate.upstream.Endpoint;
import dev.lychgate.upstream.EndpointState.AdminState;
import dev.lychgate.upstream.Upstream;
import org.jspecify.annotations.Nullable;

/**
 * What an operator can do about an endpoint at run time: drain it, take it out, bring it back, and weigh it. It holds for
 * all generations to come, as long as they name the endpoint, and ends with the process.
 */
final class EndpointActions {
    private static final String STATES = "state is enabled, draining or disabled";
    private static final String WEIGHTS =
            "weight is a whole number from 0 (as configured) to " + EndpointConfig.MAX_WEIGHT;

    private EndpointActions() {}

    /**
     * 200 with what the endpoint is now, 404 if there is no such one, 400 for what can't be understood; nothing has
     * changed then.
     */
    static AdminAnswer change(Generation generation, Parameters given) {
        String stateAsked = given.optional("state");
        String weightAsked = given.optional("weight");
        if (stateAsked == null && weightAsked == null) {
            return AdminAnswer.malformed("state=S, weight=N or both are needed");
        }
        AdminState state = stateAsked == null ? null : state(stateAsked);
        if (state == null && stateAsked != null) {
            return AdminAnswer.malformed(STATES);
        }
        int weight = weightAsked == null ? -1 : weight(weightAsked);
        if (weight < 0 && weightAsked != null) {
            return AdminAnswer.malformed(WEIGHTS);
        }
        Upstream upstream = generation.upstream(given.needed("upstream"));
        Endpoint endpoint = upstream == null ? null : endpoint(upstream, given.needed("endpoint"));
        if (upstream == null || endpoint == null) {
            return AdminAnswer.notFound("there is no such endpoint; see /upstreams");
        }
        if (state != null) {
            upstream.state().admin(endpoint.address(), state);
        }
        if (weight >= 0) {
            upstream.state().weight(endpoint.address(), weight);
        }
        return AdminAnswer.json(json -> UpstreamsPage.write(json, upstream, endpoint));
    }

    private static @Nullable Endpoint endpoint(Upstream upstream, String authority) {
        return upstream.endpoints().stream()
                .filter(e -> e.authority().equals(authority))
                .findFirst()
                .orElse(null);
    }

    private static @Nullable AdminState state(String word) {
        for (AdminState state : AdminState.values()) {
            if (UpstreamsPage.word(state).equals(word)) {
                return state;
            }
        }
        return null;
    }

    /** -1 for what is none. */
    private static int weight(String digits) {
        if (!digits.matches("[0-9]{1,4}")) {
            return -1;
        }
        int weight = Integer.parseInt(digits);
        return weight > EndpointConfig.MAX_WEIGHT ? -1 : weight;
    }
}
