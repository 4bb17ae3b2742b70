package dev.lychgate.upstream;

import dev.lychgate.config.BalanceConfig;
import dev.lychgate.config.EndpointAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints of an upstream that a route may use: all of them, or those with some metadata. Publishes by one reference
 * which of them may be chosen at present. Any thread.
 *
 * <p>Nobody has to tell it that something has changed: whoever asks notices that the states are others, or that their time
 * is up, and works out the next set. Loops that notice it at the same time all do so, and all take what the first one
 * publishes; that is rare, and cheaper than a thread to watch the clock for them.
 */
public final class Subset {
    private final Upstream upstream;
    private final List<Endpoint> endpoints;
    private final AtomicReference<@Nullable EndpointSet> published = new AtomicReference<>();

    Subset(Upstream upstream, List<Endpoint> endpoints) {
        this.upstream = upstream;
        this.endpoints = endpoints;
    }

    public Upstream upstream() {
        return upstream;
    }

    BalanceConfig balance() {
        return upstream.config().balance();
    }

    /** What may be chosen. @param now nanoseconds of {@link System#nanoTime()}, exact to about a tenth of a second */
    public EndpointSet current(long now) {
        EndpointSet known = published.get();
        Map<EndpointAddress, EndpointState> states = upstream.state().snapshot();
        if (known != null && known.isValid(states, now)) {
            return known;
        }
        EndpointSet next = Arrangement.of(endpoints, balance(), states, now);
        EndpointSet witness = published.compareAndExchange(known, next);
        return witness == null || witness == known ? next : witness;
    }
}
