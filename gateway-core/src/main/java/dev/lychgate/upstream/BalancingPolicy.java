package dev.lychgate.upstream;

/**
 * A balancing algorithm for one {@link EndpointSet}, on one event loop. For each new set, a new object is created. An
 * endpoint is identified by its index in the set. Unless a subclass states otherwise, the selection allocates nothing.
 */
abstract class BalancingPolicy {
    /** The number of random draws in {@link #another}. If all draws fail, the endpoints are scanned sequentially. */
    private static final int TRIES = 8;

    final EndpointSet set;

    BalancingPolicy(EndpointSet set) {
        this.set = set;
    }

    /** Returns the endpoint for an exchange, even if an earlier attempt of this exchange has tried it. */
    abstract int first(BalanceContext context);

    /** Returns an endpoint that the exchange has not tried; -1 if there is none. */
    int another(BalanceContext context) {
        for (int i = 0; i < TRIES; i++) {
            int chosen = first(context);
            if (!context.tried(set.endpoint(chosen))) {
                return chosen;
            }
        }
        int from = first(context);
        for (int i = 0; i < set.size(); i++) {
            int chosen = (from + i) % set.size();
            if (!context.tried(set.endpoint(chosen))) {
                return chosen;
            }
        }
        return -1;
    }
}
