package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.exchange.state.FilterStage;
import dev.lychgate.generation.ProxyTarget;
import dev.lychgate.route.Route;
import dev.lychgate.upstream.Upstream;
import org.jspecify.annotations.Nullable;

/** The route, endpoint filter, upstream and timeout that filters of one exchange choose instead of the configured ones. */
final class FilterChoices {
    private final ExchangeState state;
    private @Nullable Route route;
    private boolean rerouted;
    private @Nullable FilterSlot endpointFilter;
    private @Nullable Upstream upstream;
    private long responseTimeout;

    FilterChoices(ExchangeState state) {
        this.state = state;
    }

    /** Chooses the route. @throws IllegalArgumentException if there is none of that id */
    void route(String id, FilterStage stage) {
        if (stage == FilterStage.ENDPOINT || (stage == FilterStage.ROUTE && rerouted)) {
            throw new IllegalStateException("it is too late to choose another route");
        }
        Route chosen = state.generation().route(id);
        if (chosen == null) {
            throw new IllegalArgumentException("unknown route " + id);
        }
        rerouted = stage == FilterStage.ROUTE;
        route = chosen;
    }

    @Nullable
    Route route() {
        return route;
    }

    /** Returns the route that was chosen since the last call; null if there is none. */
    @Nullable
    Route takeRoute() {
        Route chosen = route;
        route = null;
        return chosen;
    }

    /** Chooses the only endpoint filter that may run. @throws IllegalArgumentException if there is none of that name */
    void endpointFilter(String name, FilterStage stage) {
        if (stage == FilterStage.ENDPOINT) {
            throw new IllegalStateException("it is too late to choose an endpoint filter");
        }
        endpointFilter = state.generation().filters().endpoint(name);
        if (endpointFilter == null) {
            throw new IllegalArgumentException("unknown endpoint filter " + name);
        }
    }

    @Nullable
    FilterSlot endpointFilter() {
        return endpointFilter;
    }

    /** Chooses the upstream. @throws IllegalArgumentException if there is none of that name */
    void upstream(String name) {
        Upstream chosen = state.generation().upstream(name);
        if (chosen == null || name.indexOf('/') >= 0) {
            // An origin of filters.call-outs must not receive the request of the client.
            throw new IllegalArgumentException("unknown upstream " + name);
        }
        upstream = chosen;
    }

    @Nullable
    Upstream upstream() {
        return upstream;
    }

    /** Limits the time until the origin's response head. @param nanos the limit */
    void responseTimeout(long nanos) {
        responseTimeout = nanos;
    }

    /** Returns {@code target} with the chosen upstream and timeout; null if there is neither a target nor a chosen upstream. */
    @Nullable
    ProxyTarget target(Route from, @Nullable ProxyTarget target) {
        Upstream chosen = upstream;
        ProxyTarget to = chosen == null
                ? target
                : ProxyTarget.of(
                        chosen.whole(),
                        from.config().timeouts(),
                        state.generation().policies(from));
        return to != null && responseTimeout > 0 ? to.with(responseTimeout, 0) : to;
    }
}
