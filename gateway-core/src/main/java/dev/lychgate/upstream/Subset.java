package dev.lychgate.upstream;

import dev.lychgate.config.BalanceConfig;
import dev.lychgate.config.EndpointAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints of an upstream that a route may use: all endpoints, or the endpoints with configured metadata.
 * Publishes the set of currently selectable endpoints through one reference. Thread-safe.
 *
 * <p>No notification of changes is needed, because readers detect changed or expired states and compute the next set.
 * If several event loops detect a change at the same time, each computes the next set, and all use the set that is
 * published first. This duplicate work is rare, and costs less than a separate thread with a timer.
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

    /**
     * Returns the set of endpoints that are selectable at {@code now}.
     *
     * @param now the current time, in nanoseconds of {@link System#nanoTime()}, with a precision of about 100 ms
     */
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
