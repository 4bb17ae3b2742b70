package dev.lychgate.upstream;

/**
 * One algorithm applied to one {@link EndpointSet}, on one event loop. It is rebuilt for each new set. Endpoints are
 * identified by their index in the set. Selection allocates nothing unless documented.
 */
abstract class BalancingPolicy {
    /** Number of random draws in {@link #another}; after them, the endpoints are scanned sequentially. */
    private static final int TRIES = 8;

    final EndpointSet set;

    BalancingPolicy(EndpointSet set) {
        this.set = set;
    }

    /** Returns the endpoint for an exchange, regardless of earlier attempts. */
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
