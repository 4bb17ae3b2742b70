package dev.lychgate.upstream;

import dev.lychgate.config.DiscoveredConfig;
import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.UpstreamConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The endpoints that are in use for the discovered services of one upstream. Immutable. */
record FoundSets(Map<SourceQuestion, List<FoundEndpoint>> known) {
    static final FoundSets NONE = new FoundSets(Map.of());

    FoundSets {
        known = Map.copyOf(known);
    }

    FoundSets with(SourceQuestion question, List<FoundEndpoint> endpoints) {
        Map<SourceQuestion, List<FoundEndpoint>> more = new HashMap<>(known);
        more.put(question, List.copyOf(endpoints));
        return new FoundSets(more);
    }

    FoundSets without(SourceQuestion question) {
        Map<SourceQuestion, List<FoundEndpoint>> fewer = new HashMap<>(known);
        fewer.remove(question);
        return new FoundSets(fewer);
    }

    /**
     * Returns these sets, with endpoints for {@code question} added if they are missing. The added endpoints are copied
     * from a question that is for the same service, but has different settings of the source. If there is no such
     * question, returns these sets unchanged.
     */
    FoundSets withLent(SourceQuestion question) {
        return known.containsKey(question)
                ? this
                : known.entrySet().stream()
                        .filter(other -> other.getKey().isForSameAs(question))
                        .findAny()
                        .map(other -> with(question, other.getValue()))
                        .orElse(this);
    }

    List<FoundEndpoint> of(SourceQuestion question) {
        return known.getOrDefault(question, List.of());
    }

    /**
     * Returns the endpoints of an upstream: {@code others}, followed by the endpoints of its discovered services. If
     * several endpoints have the same address, the result contains the first of them.
     */
    List<EndpointConfig> endpoints(UpstreamConfig config, List<EndpointConfig> others) {
        Map<EndpointAddress, EndpointConfig> once = new LinkedHashMap<>();
        others.forEach(endpoint -> once.putIfAbsent(endpoint.address(), endpoint));
        for (DiscoveredConfig item : config.discovered()) {
            for (FoundEndpoint found : of(SourceQuestion.of(item))) {
                EndpointConfig endpoint = found.endpoint(item, config.tls() != null);
                once.putIfAbsent(endpoint.address(), endpoint);
            }
        }
        return new ArrayList<>(once.values());
    }
}
