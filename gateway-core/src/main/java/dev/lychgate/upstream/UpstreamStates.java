package dev.lychgate.upstream;

import dev.lychgate.config.EndpointAddress;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * The states of all upstreams of a gateway, by the name of the upstream. They carry over from generation to generation.
 * Thread-safe.
 */
public final class UpstreamStates {
    private final LongSupplier clock;
    private final int loops;
    private final Map<String, UpstreamState> byName = new ConcurrentHashMap<>();

    /**
     * Creates an object without the state of any upstream.
     *
     * @param loops number of event loops that count outcomes
     */
    public UpstreamStates(int loops) {
        this(System::nanoTime, loops);
    }

    UpstreamStates(LongSupplier clock, int loops) {
        this.clock = clock;
        this.loops = loops;
    }

    /** Returns the state of the upstream with this name. If there is none, creates it. */
    public UpstreamState of(String name) {
        return byName.computeIfAbsent(name, n -> new UpstreamState(clock, loops));
    }

    /**
     * Keeps the states of the upstreams of all generations in force, and drops all other states. Called when a
     * generation takes effect and not earlier, because until then the generation may be refused.
     *
     * @param upstreams upstreams of all generations in force; upstreams with the same name share one state, which keeps
     *     the endpoints of all of these upstreams
     */
    public void keep(Collection<Upstream> upstreams) {
        Set<String> names = upstreams.stream().map(Upstream::name).collect(Collectors.toSet());
        byName.keySet().retainAll(names);
        // Stores the state objects that the upstreams refer to, because exchanges of their generation read these
        // objects.
        upstreams.forEach(upstream -> byName.put(upstream.name(), upstream.state()));
        keepEndpoints(upstreams);
    }

    /**
     * Updates the endpoints of the upstreams in force. Keeps the states of all other upstreams, because the next
     * generation may be under construction and may need them.
     */
    public void keepEndpoints(Collection<Upstream> upstreams) {
        IdentityHashMap<UpstreamState, Set<EndpointAddress>> endpoints = new IdentityHashMap<>();
        for (Upstream upstream : upstreams) {
            Set<EndpointAddress> named = endpoints.computeIfAbsent(upstream.state(), state -> new LinkedHashSet<>());
            upstream.endpoints().forEach(endpoint -> named.add(endpoint.address()));
        }
        endpoints.forEach(UpstreamState::keep);
    }
}
