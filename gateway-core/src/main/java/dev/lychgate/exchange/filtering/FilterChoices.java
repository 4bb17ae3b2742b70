package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.exchange.state.FilterStage;
import dev.lychgate.generation.ProxyTarget;
import dev.lychgate.route.Route;
import dev.lychgate.upstream.Upstream;
import org.jspecify.annotations.Nullable;

/**
 * The route, endpoint filter, upstream and timeout that filters of one exchange have chosen instead of the configured
 * values.
 */
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

    /**
     * Chooses the route.
     *
     * @throws IllegalArgumentException if there is no route with this id
     * @throws IllegalStateException if {@code stage} is too late for this choice
     */
    void route(String id, FilterStage stage) {
        if (!stage.choosesRoute() || (stage == FilterStage.ROUTE && rerouted)) {
            throw new IllegalStateException(
                    "the route can't be chosen in this phase, or a filter has already chosen another route");
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

    /** Returns the route that filters have chosen since the last call; null if filters have not chosen a route. */
    @Nullable
    Route takeRoute() {
        Route chosen = route;
        route = null;
        return chosen;
    }

    /**
     * Chooses an endpoint filter. After this choice, the exchange runs no other endpoint filter.
     *
     * @throws IllegalArgumentException if there is no endpoint filter with this name
     * @throws IllegalStateException if {@code stage} is too late for this choice
     */
    void endpointFilter(String name, FilterStage stage) {
        if (stage == FilterStage.ENDPOINT) {
            throw new IllegalStateException("only inbound filters can choose an endpoint filter");
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

    /**
     * Chooses the upstream.
     *
     * @throws IllegalArgumentException if there is no upstream with this name
     */
    void upstream(String name) {
        Upstream chosen = state.generation().upstream(name);
        if (chosen == null || name.indexOf('/') >= 0) {
            // Names with a slash are origins of filters.call-outs, which must not receive requests of clients.
            throw new IllegalArgumentException("unknown upstream " + name);
        }
        upstream = chosen;
    }

    @Nullable
    Upstream upstream() {
        return upstream;
    }

    /** Sets the timeout for the origin's response head, in nanoseconds. */
    void responseTimeout(long nanos) {
        responseTimeout = nanos;
    }

    /**
     * Returns {@code target} with the chosen upstream and timeout. Returns null if {@code target} is null and no
     * upstream is chosen.
     */
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
