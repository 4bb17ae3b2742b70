package dev.lychgate.upstream;

import dev.lychgate.config.EndpointAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The load that one event loop puts on one upstream and on each endpoint of the upstream. Outlives generations. Used
 * only on this event loop.
 */
final class UpstreamLoad {
    private final Map<EndpointAddress, EndpointLoad> endpoints = new HashMap<>();
    private int outstanding;

    EndpointLoad of(Endpoint endpoint) {
        return endpoints.computeIfAbsent(endpoint.address(), address -> new EndpointLoad(this));
    }

    EndpointLoad[] of(EndpointSet set) {
        EndpointLoad[] loads = new EndpointLoad[set.size()];
        for (int i = 0; i < loads.length; i++) {
            loads[i] = of(set.endpoint(i));
        }
        return loads;
    }

    /** Drops the load of endpoints that are not in {@code named}, unless an attempt at the endpoint is in progress. */
    void keep(Set<EndpointAddress> named) {
        endpoints
                .entrySet()
                .removeIf(e -> !named.contains(e.getKey()) && e.getValue().outstanding() == 0);
    }

    boolean isEmpty() {
        return endpoints.isEmpty();
    }

    void began() {
        outstanding++;
    }

    void ended() {
        outstanding--;
    }

    int outstanding() {
        return outstanding;
    }
}
