package dev.lychgate.server.admin;

import dev.lychgate.config.EndpointConfig;
import dev.lychgate.generation.Generation;
import dev.lychgate.http.QueryParameters;
import dev.lychgate.upstream.Endpoint;
import dev.lychgate.upstream.EndpointState.AdminState;
import dev.lychgate.upstream.Upstream;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an operator can do about an endpoint at run time: drain it, take it out, bring it back, and weigh it. It holds for
 * all generations to come, as long as they name the endpoint, and ends with the process.
 */
final class EndpointActions {
    private static final Logger LOG = LoggerFactory.getLogger(EndpointActions.class);
    private static final String STATES = "state is enabled, draining or disabled";
    private static final String WEIGHTS =
            "weight is a whole number from 0 (as configured) to " + EndpointConfig.MAX_WEIGHT;

    private EndpointActions() {}

    /**
     * 200 with what the endpoint is now, 404 if there is no such one, 400 for what can't be understood; nothing has
     * changed then.
     *
     * @param query {@code upstream} and {@code endpoint}, and {@code state}, {@code weight} or both
     * @param by who asks, for the log
     */
    static AdminAnswer change(Generation generation, @Nullable String query, String by) {
        List<String> upstreams = QueryParameters.of(query, "upstream");
        List<String> endpoints = QueryParameters.of(query, "endpoint");
        List<String> states = QueryParameters.of(query, "state");
        List<String> weights = QueryParameters.of(query, "weight");
        if (upstreams.size() != 1 || endpoints.size() != 1) {
            return AdminAnswer.malformed("upstream=NAME and endpoint=HOST:PORT are needed, each once");
        }
        if (states.size() > 1 || weights.size() > 1 || (states.isEmpty() && weights.isEmpty())) {
            return AdminAnswer.malformed("state=S, weight=N or both are needed, each once");
        }
        AdminState state = states.isEmpty() ? null : state(states.get(0));
        if (state == null && !states.isEmpty()) {
            return AdminAnswer.malformed(STATES);
        }
        int weight = weights.isEmpty() ? -1 : weight(weights.get(0));
        if (weight < 0 && !weights.isEmpty()) {
            return AdminAnswer.malformed(WEIGHTS);
        }
        Upstream upstream = generation.upstream(upstreams.get(0));
        Endpoint endpoint = upstream == null ? null : endpoint(upstream, endpoints.get(0));
        if (upstream == null || endpoint == null) {
            return AdminAnswer.problem(
                    HttpResponseStatus.NOT_FOUND, "not-found", "there is no such endpoint; see /upstreams");
        }
        if (state != null) {
            upstream.state().admin(endpoint.address(), state);
            LOG.info("{} is {} now, as {} wants it", endpoint, UpstreamsPage.word(state), by);
        }
        if (weight == 0) {
            upstream.state().weight(endpoint.address(), 0);
            LOG.info("{} has its configured weight again, as {} wants it", endpoint, by);
        } else if (weight > 0) {
            upstream.state().weight(endpoint.address(), weight);
            LOG.info("{} has weight {} now, as {} wants it", endpoint, weight, by);
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
