package dev.lychgate.upstream;

import dev.lychgate.loop.Loop;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Balancers of one event loop with their counters. Balancers belong to a generation; counters outlive it and are keyed
 * by upstream and address. Used only on its loop.
 */
public final class LoopBalancers {
    private final int index;
    private final SplittableRandom random;
    private final LongSupplier clock;
    private final Map<String, UpstreamLoad> loads = new HashMap<>();
    private final IdentityHashMap<Subset, LoadBalancer> balancers = new IdentityHashMap<>();
    private final IdentityHashMap<Endpoint, EndpointLoad> byEndpoint = new IdentityHashMap<>();

    public LoopBalancers(Loop loop) {
        this(loop.index(), loop.random(), loop.deadlines()::now);
    }

    LoopBalancers(int index, SplittableRandom random, LongSupplier clock) {
        this.index = index;
        this.random = random;
        this.clock = clock;
    }

    /** Switches to the upstreams of a new generation. */
    public void adopt(Collection<Upstream> upstreams) {
        Map<String, Upstream> named = upstreams.stream().collect(Collectors.toMap(Upstream::name, u -> u));
        loads.forEach((name, load) -> {
            Upstream upstream = named.get(name);
            load.keep(
                    upstream == null
                            ? Set.of()
                            : upstream.endpoints().stream()
                                    .map(Endpoint::address)
                                    .collect(Collectors.toSet()));
        });
        loads.values().removeIf(UpstreamLoad::isEmpty);
        balancers.clear();
        byEndpoint.clear();
    }

    /** Returns the balancer of a subset. */
    public LoadBalancer of(Subset subset) {
        LoadBalancer known = balancers.get(subset);
        if (known != null) {
            return known;
        }
        UpstreamLoad load = load(subset.upstream().name());
        LoadBalancer made = new LoadBalancer(subset, load, random, clock, index);
        balancers.put(subset, made);
        return made;
    }

    /** Returns this loop's load on {@code endpoint}. */
    public EndpointLoad load(Endpoint endpoint) {
        EndpointLoad known = byEndpoint.get(endpoint);
        if (known != null) {
            return known;
        }
        EndpointLoad made = load(endpoint.upstream()).of(endpoint);
        byEndpoint.put(endpoint, made);
        return made;
    }

    private UpstreamLoad load(String upstream) {
        return loads.computeIfAbsent(upstream, name -> new UpstreamLoad());
    }
}
