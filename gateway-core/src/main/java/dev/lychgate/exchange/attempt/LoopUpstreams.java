package dev.lychgate.exchange.attempt;

import dev.lychgate.loop.Loop;
import dev.lychgate.upstream.LoopBalancers;

/**
 * The state of upstreams that all attempts of one event loop share.
 *
 * @param loop the event loop
 * @param pools the connection pools of endpoints
 * @param balancers the balancers, which choose endpoints
 */
public record LoopUpstreams(Loop loop, EndpointPools pools, LoopBalancers balancers) {
    int index() {
        return loop.index();
    }

    long turnTime() {
        return loop.turnTime();
    }
}
