package dev.lychgate.upstream;

import dev.lychgate.http.RequestHead;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Each endpoint in turn. Every loop begins at another endpoint, so that a few requests over many loops do not all meet
 * the first one.
 */
final class RoundRobin implements LoadBalancer {
    private final List<Endpoint> endpoints;
    private int next;

    RoundRobin(List<Endpoint> endpoints, int start) {
        this.endpoints = endpoints;
        this.next = Math.floorMod(start, endpoints.size());
    }

    @Override
    public @Nullable Endpoint choose(RequestHead head, @Nullable Endpoint failed) {
        Endpoint chosen = advance();
        return chosen == failed && endpoints.size() > 1 ? advance() : chosen;
    }

    private Endpoint advance() {
        Endpoint endpoint = endpoints.get(next);
        next = next + 1 == endpoints.size() ? 0 : next + 1;
        return endpoint;
    }
}
