package dev.lychgate.upstream;

import dev.lychgate.config.RouteTimeouts;
import dev.lychgate.config.UpstreamConfig;
import java.util.List;

/** A named set of endpoints, in one generation. Immutable, but for what each loop's balancer counts for itself. */
public final class Upstream {
    private final UpstreamConfig config;
    private final List<Endpoint> endpoints;
    private final LoadBalancer[] balancers;
    private final RouteTimeouts timeouts;

    /** @param loops how many event loops there are: each gets a balancer of its own */
    public Upstream(UpstreamConfig config, int loops) {
        this.config = config;
        this.endpoints = config.endpoints().stream()
                .map(e -> new Endpoint(config.name(), e))
                .toList();
        this.timeouts = config.timeouts().orElse(RouteTimeouts.DEFAULT);
        this.balancers = new LoadBalancer[loops];
        for (int i = 0; i < loops; i++) {
            balancers[i] = new RoundRobin(endpoints, i);
        }
    }

    public String name() {
        return config.name();
    }

    public UpstreamConfig config() {
        return config;
    }

    public List<Endpoint> endpoints() {
        return endpoints;
    }

    /** How long we wait for it, with every default filled in. */
    public RouteTimeouts timeouts() {
        return timeouts;
    }

    /** The balancer of one event loop. @param loop the loop's index */
    public LoadBalancer balancer(int loop) {
        return balancers[loop];
    }
}
