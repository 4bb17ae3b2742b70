package dev.lychgate.upstream;

import dev.lychgate.config.EndpointAddress;
import dev.lychgate.loop.Loop;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * The load balancers of one event loop, with their counters. A balancer belongs to one generation. The counters are
 * identified by upstream and address, so they outlive generations, and two generations in force share them. Used only
 * on this event loop.
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

    /**
     * Switches to the upstreams of the generations that are now in force. If an upstream stays in force, its balancers
     * keep their positions, and the loads of its endpoints keep their counts.
     *
     * @param upstreams upstreams of all generations in force; two upstreams with the same name share the load of an
     *     endpoint that both contain
     */
    public void adopt(Collection<Upstream> upstreams) {
        Map<String, Set<EndpointAddress>> addresses = new HashMap<>();
        Set<Upstream> inForce = Collections.newSetFromMap(new IdentityHashMap<>());
        Set<Endpoint> endpoints = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Upstream upstream : upstreams) {
            inForce.add(upstream);
            endpoints.addAll(upstream.endpoints());
            Set<EndpointAddress> named = addresses.computeIfAbsent(upstream.name(), name -> new HashSet<>());
            upstream.endpoints().forEach(endpoint -> named.add(endpoint.address()));
        }
        loads.forEach((name, load) -> load.keep(addresses.getOrDefault(name, Set.of())));
        // The load of an upstream in force is kept even if it is empty, because the balancers of the upstream refer to
        // it.
        loads.entrySet().removeIf(load -> load.getValue().isEmpty() && !addresses.containsKey(load.getKey()));
        balancers.keySet().removeIf(subset -> !inForce.contains(subset.upstream()));
        byEndpoint.keySet().retainAll(endpoints);
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

    /** Returns the load that this event loop puts on {@code endpoint}. */
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
