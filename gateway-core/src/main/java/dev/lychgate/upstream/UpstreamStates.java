package dev.lychgate.upstream;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/** The states of all upstreams of a gateway, by name: handed on from each generation to the next. Any thread. */
public final class UpstreamStates {
    private final LongSupplier clock;
    private final int loops;
    private final Map<String, UpstreamState> byName = new ConcurrentHashMap<>();

    /** @param loops how many event loops count outcomes */
    public UpstreamStates(int loops) {
        this(System::nanoTime, loops);
    }

    UpstreamStates(LongSupplier clock, int loops) {
        this.clock = clock;
        this.loops = loops;
    }

    /** The state of the upstream of that name, which is known from now on. */
    public UpstreamState of(String name) {
        return byName.computeIfAbsent(name, n -> new UpstreamState(clock, loops));
    }

    /**
     * A generation with these upstreams takes over. What it does not name is forgotten; not before, since it might have
     * been refused.
     */
    public void keep(Collection<Upstream> upstreams) {
        Set<String> names = upstreams.stream().map(Upstream::name).collect(Collectors.toSet());
        byName.keySet().retainAll(names);
        // The upstreams' own objects: exchanges of their generation read those.
        upstreams.forEach(upstream -> byName.put(upstream.name(), upstream.state()));
        keepEndpoints(upstreams);
    }

    /**
     * The generation that is in use gets these in the place of its upstreams: the same ones, with other endpoints. What is
     * known of other upstreams stays, for the next generation may be in the making.
     */
    public void keepEndpoints(Collection<Upstream> upstreams) {
        for (Upstream upstream : upstreams) {
            upstream.state()
                    .keep(upstream.endpoints().stream().map(Endpoint::address).toList());
        }
    }
}
